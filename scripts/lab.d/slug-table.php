<?php
/**
 * What this WordPress makes of slugs: scripts/lab php SITE slug-table.php [MODE] < LINES
 *
 * LINES has one JSON string a line; the answer has one JSON line for each.
 *
 *   cleaned   the slug cleaned twice, as a create over REST does it, before it is
 *             made unique (the default)
 *   stored    {"post": SLUG, "page": SLUG} as really stored for a draft of each
 *             type that was created by a REST request, each on an empty site; nothing
 *             stays in the database
 *   accents   reads nothing; a line for each character that remove_accents changes
 *             by itself, as [CODE POINT, REPLACEMENT]
 *
 * A locale may follow the mode, such as `cleaned de_DE`.
 */

// 7.1 itself warns of an undefined property when a draft is created.
error_reporting( E_ALL & ~E_WARNING & ~E_NOTICE & ~E_DEPRECATED );

$mode   = $argv[1] ?? 'cleaned';
$locale = $argv[2] ?? null;
if ( null !== $locale ) {
	add_filter( 'locale', fn() => $locale );
}

function answer( $value ): void {
	echo json_encode( $value, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR ), "\n";
}

function stored_slug( string $type, string $slug ): string {
	$request = new WP_REST_Request( 'POST', "/wp/v2/{$type}s" );
	$request->set_header( 'Content-Type', 'application/json' );
	$request->set_body( json_encode( array( 'title' => 'Title', 'slug' => $slug, 'status' => 'draft' ) ) );
	$response = rest_do_request( $request );
	if ( 201 !== $response->get_status() ) {
		throw new RuntimeException( json_encode( $response->get_data() ) );
	}
	$id     = $response->get_data()['id'];
	$stored = $GLOBALS['wpdb']->get_var( "SELECT post_name FROM {$GLOBALS['wpdb']->posts} WHERE ID = $id" );
	// Each slug is tried alone: the next may be its twin.
	wp_delete_post( $id, true );
	// get_var says null for an empty string.
	return (string) $stored;
}

if ( 'accents' === $mode ) {
	for ( $code = 0x80; $code <= 0x10FFFF; $code++ ) {
		$char = mb_chr( $code );
		// What normalization alone changes is no accent.
		if ( false !== $char && Normalizer::isNormalized( $char ) && remove_accents( $char ) !== $char ) {
			answer( array( $code, remove_accents( $char ) ) );
		}
	}
	exit( 0 );
}

if ( 'stored' === $mode ) {
	wp_set_current_user( 1 );
	// Tables of this connection alone, of the same names: empty, and gone at the end.
	foreach ( array( $wpdb->posts, $wpdb->postmeta, $wpdb->term_relationships ) as $table ) {
		$wpdb->query( "CREATE TEMPORARY TABLE empty_$table LIKE $table" );
		$wpdb->query( "ALTER TABLE empty_$table RENAME TO $table" );
	}
	if ( '0' !== $wpdb->get_var( "SELECT COUNT(*) FROM $wpdb->posts" ) ) {
		throw new RuntimeException( 'the temporary tables are not in use' );
	}
}
while ( false !== ( $line = fgets( STDIN ) ) ) {
	$slug = json_decode( $line, false, 2, JSON_THROW_ON_ERROR );
	if ( 'stored' === $mode ) {
		answer( array( 'post' => stored_slug( 'post', $slug ), 'page' => stored_slug( 'page', $slug ) ) );
	} else {
		answer( sanitize_title( sanitize_title( $slug ) ) );
	}
}
