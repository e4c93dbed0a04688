<?php
/**
 * Makes an empty database into a site: php install.php DOCROOT SITE DATABASE OUT
 *
 * OUT gets the JSON that lab.json says of the site, but for its address.
 */

[ , $docroot, $site, $database, $out ] = $argv;

define( 'WP_INSTALLING', true );
$_SERVER['HTTP_HOST'] = '127.0.0.1';

// WordPress would mail the new administrator.
function wp_new_blog_notification() {}
function wp_mail() {
	return true;
}

require "$docroot/wp-load.php";
require ABSPATH . 'wp-admin/includes/upgrade.php';

wp_install( "OncePress lab $site", 'admin', 'admin@example.com', true, '', 'oncepress' );

// Not UTC: a mix-up of site time and UTC must show.
update_option( 'timezone_string', 'Asia/Tokyo' );
// wp_install has tried the site over HTTP, which does not run yet.
$wp_rewrite->set_permalink_structure( '6.8-plain' === $site ? '' : '/%postname%/' );
$wp_rewrite->flush_rules( false );

$roles = array(
	'admin'       => 'administrator',
	'editor'      => 'editor',
	'author'      => 'author',
	'author2'     => 'author',
	'contributor' => 'contributor',
);
$users = array();
foreach ( $roles as $login => $role ) {
	$user = get_user_by( 'login', $login );
	$id   = $user ? $user->ID : wp_insert_user(
		array(
			'user_login' => $login,
			'user_pass'  => 'oncepress',
			'user_email' => "$login@example.com",
			'role'       => $role,
		)
	);
	if ( is_wp_error( $id ) ) {
		throw new Exception( "user $login: " . $id->get_error_message() );
	}
	$made = WP_Application_Passwords::create_new_application_password( $id, array( 'name' => 'oncepress' ) );
	if ( is_wp_error( $made ) ) {
		throw new Exception( "application password of $login: " . $made->get_error_message() );
	}
	$users[ $login ] = array(
		'id'       => $id,
		'role'     => $role,
		'password' => $made[0],
	);
}

// get_bloginfo() would do, but a plugin may hide the version from it.
require ABSPATH . WPINC . '/version.php';
if ( ! str_starts_with( $wp_version, strtok( $site, '-' ) . '.' ) ) {
	fwrite( STDERR, "warning: the suite of $site has moved on to WordPress $wp_version\n" );
}

$json = array(
	'version'      => $site,
	'full_version' => $wp_version,
	'permalinks'   => '6.8-plain' !== $site,
	'users'        => $users,
	'database'     => $database,
	'table_prefix' => $table_prefix,
	'path'         => $docroot,
);
file_put_contents( $out, json_encode( $json, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR ) );
