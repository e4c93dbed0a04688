<?php
/**
 * The editor's own scripts of this WordPress, in the order in which they load:
 * scripts/lab php SITE editor-scripts.php
 */

$scripts = wp_scripts();
$scripts->all_deps( array( 'wp-blocks', 'wp-block-library' ) );
foreach ( $scripts->to_do as $handle ) {
	$source = $scripts->registered[ $handle ]->src;
	if ( $source ) {
		echo ABSPATH . ltrim( $source, '/' ), "\n";
	}
}
