<?php
/**
 * Prints lab.json: php -n lab-json.php SOCKET [SITE.JSON URL]...
 */

array_shift( $argv );
$socket = array_shift( $argv );
$sites  = array();
foreach ( array_chunk( $argv, 2 ) as [ $file, $url ] ) {
	$site    = json_decode( file_get_contents( $file ), true, 512, JSON_THROW_ON_ERROR );
	$sites[] = array_slice( $site, 0, 2 ) + array( 'url' => $url ) + $site;
}
$lab = array(
	'sites'        => $sites,
	'mysql_socket' => $socket,
);
echo json_encode( $lab, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR ), "\n";
