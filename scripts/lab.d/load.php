<?php
/**
 * Runs a PHP file inside a loaded WordPress: php load.php DOCROOT FILE [ARG...]
 *
 * The file sees its own name and arguments in $argv and the caller's standard
 * input; it acts as nobody (wp_set_current_user() changes that).
 */

$_SERVER['HTTP_HOST'] = '127.0.0.1';
array_shift( $argv );
require array_shift( $argv ) . '/wp-load.php';
$argc            = count( $argv );
$_SERVER['argv'] = $argv;
$_SERVER['argc'] = $argc;
if ( ! is_file( $argv[0] ) ) {
	fwrite( STDERR, "lab: error: no such file: {$argv[0]}\n" );
	exit( 2 );
}
require $argv[0];
