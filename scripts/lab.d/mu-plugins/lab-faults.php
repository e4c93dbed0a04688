<?php
/**
 * Plugin Name: Lab: faults
 * Description: Makes one request go wrong, as its header X-Lab-Fault says.
 *
 * X-Lab-Fault: NAME[:ARGUMENT][,NAME[:ARGUMENT]...]
 *
 * Without the header this file does nothing at all. With it, it touches only
 * the request that carries it, so that tests can run side by side. A name that
 * it does not know is refused with 400 lab_unknown_fault before anything
 * happens: a typing error must not look like a passed test.
 */

namespace OncePressLab;

if ( ! isset( $_SERVER['HTTP_X_LAB_FAULT'] ) ) {
	return;
}

const SLEEP_MS_MAX = 60000;

/** What the header asks for, each as array( name, argument ). */
function faults_of_request(): array {
	$faults = array();
	foreach ( explode( ',', $_SERVER['HTTP_X_LAB_FAULT'] ) as $item ) {
		$faults[] = array_pad( explode( ':', trim( $item ), 2 ), 2, '' );
	}
	return $faults;
}

/** Sets the hooks of one fault; false if there is no such fault. */
function arm( string $name, string $argument ): bool {
	if ( preg_match( '/^error-([45]\d\d)-after-insert$/D', $name, $match ) ) {
		error_after_insert( (int) $match[1], $argument );
		return true;
	}
	$arm = array(
		// The row exists; terms, featured image and meta are not set yet.
		'die-before-terms'         => fn() => on_every_type( 'rest_insert_%s', __NAMESPACE__ . '\die_with_page' ),
		// Everything is set; only the answer is lost.
		'die-after-insert'         => fn() => on_every_type( 'rest_after_insert_%s', __NAMESPACE__ . '\die_with_page' ),
		'die-after-insert-silent'  => fn() => on_every_type( 'rest_after_insert_%s', __NAMESPACE__ . '\die_silently' ),
		// A PHP error, with the answer that WordPress itself gives to one.
		'fatal-after-insert'       => fn() => on_every_type( 'rest_after_insert_%s', __NAMESPACE__ . '\die_of_an_error' ),
		'die-in-image-sizes'       => fn() => add_filter( 'intermediate_image_sizes_advanced', __NAMESPACE__ . '\die_with_page' ),
		'die-in-image-sizes-silent' => fn() => add_filter( 'intermediate_image_sizes_advanced', __NAMESPACE__ . '\die_silently' ),
		'sleep-before-insert'      => fn() => on_every_type( 'rest_pre_insert_%s', sleeper( $argument ) ),
		// Between the choice of the slug and the insert: makes twins.
		'sleep-in-insert'          => fn() => add_filter( 'wp_insert_post_data', sleeper( $argument ) ),
		'sleep-after-insert'       => fn() => on_every_type( 'rest_after_insert_%s', sleeper( $argument ) ),
		'warning-before-json'      => fn() => warning_before_json(),
		'comment-after-json'       => fn() => comment_after_json(),
		'drop-terms'               => fn() => drop_terms(),
		'drop-slug-filter'         => fn() => drop_slug_filter(),
		'hide-drafts'              => fn() => hide( array( 'draft', 'pending' ) ),
		'hide-media'               => fn() => hide( array( 'inherit' ) ),
	);
	if ( ! isset( $arm[ $name ] ) ) {
		return false;
	}
	$arm[ $name ]();
	return true;
}

/** Adds a filter or action for each post type and taxonomy, once they are all known. */
function on_every_type( string $hook, callable $callback ): void {
	add_action(
		'rest_api_init',
		function () use ( $hook, $callback ) {
			$names = array_merge(
				get_post_types( array( 'show_in_rest' => true ) ),
				get_taxonomies( array( 'show_in_rest' => true ) )
			);
			foreach ( $names as $name ) {
				add_filter( sprintf( $hook, $name ), $callback, 10, 2 );
			}
		},
		99
	);
}

function die_with_page(): never {
	http_response_code( 500 );
	header( 'Content-Type: text/html; charset=UTF-8' );
	echo "<!DOCTYPE html>\n<html><head><title>WordPress &rsaquo; Error</title></head>",
		"<body><p>There has been a critical error on this website.</p></body></html>\n";
	exit;
}

function die_silently(): never {
	http_response_code( 200 );
	exit;
}

function die_of_an_error(): never {
	throw new \Error( 'lab: fatal-after-insert' );
}

function sleeper( string $milliseconds ): callable {
	$ms = (int) $milliseconds;
	if ( $ms < 1 || $ms > SLEEP_MS_MAX ) {
		refuse( "a sleep needs milliseconds, 1 to 60000, not '$milliseconds'" );
	}
	return function ( $value = null ) use ( &$ms ) {
		usleep( $ms * 1000 );
		// Once a request, though a hook may be called again.
		$ms = 0;
		return $value;
	};
}

/**
 * An additional REST field whose update fails: the way in which a plugin's
 * error reaches the client through core, after the row was made.
 */
function error_after_insert( int $status, string $code ): void {
	$code  = '' === $code ? ( 403 === $status ? 'rest_forbidden' : 'lab_field_refused' ) : $code;
	$field = array(
		'update_callback' => fn() => new \WP_Error( $code, 'Sorry, this field was refused.', array( 'status' => $status ) ),
		'schema'          => array( 'type' => 'boolean' ),
	);
	add_action(
		'rest_api_init',
		function () use ( $field ) {
			$types = array_merge(
				array_values( get_post_types( array( 'show_in_rest' => true ) ) ),
				array_map(
					// Core calls tags "tag" here and "post_tag" elsewhere.
					fn( $name ) => 'post_tag' === $name ? 'tag' : $name,
					array_values( get_taxonomies( array( 'show_in_rest' => true ) ) )
				)
			);
			register_rest_field( $types, 'lab_fault', $field );
		},
		99
	);
	// Core calls the field's update only if the request has the field.
	on_request(
		function ( \WP_REST_Request $request ) {
			if ( 'GET' !== $request->get_method() ) {
				$request->set_param( 'lab_fault', true );
			}
		}
	);
}

/** Calls back with each REST request before it is carried out; a WP_Error becomes the answer. */
function on_request( callable $callback ): void {
	add_filter(
		'rest_request_before_callbacks',
		fn( $response, $handler, $request ) => $callback( $request ) ?? $response,
		10,
		3
	);
}

/** What PHP prints of a warning when display_errors is on: headers are as usual, the body is not JSON. */
function warning_before_json(): void {
	add_filter(
		'rest_pre_serve_request',
		function ( $served ) {
			echo "<br />\n<b>Warning</b>:  Undefined variable \$lab in ",
				"<b>/srv/www/wp-content/plugins/lab/lab.php</b> on line <b>7</b><br />\n";
			return $served;
		}
	);
}

function comment_after_json(): void {
	add_action(
		'shutdown',
		function () {
			echo "\n<!-- Page generated in 0.042 seconds. -->\n";
		},
		0
	);
}

/** The post is created, its tags, categories and other terms are not set. */
function drop_terms(): void {
	on_request(
		function ( \WP_REST_Request $request ) {
			foreach ( get_taxonomies( array( 'show_in_rest' => true ), 'objects' ) as $taxonomy ) {
				unset( $request[ $taxonomy->rest_base ?: $taxonomy->name ] );
			}
		}
	);
}

/** A plugin or firewall that ignores `slug=`: every row comes back. */
function drop_slug_filter(): void {
	on_every_type(
		'rest_%s_query',
		function ( array $query ) {
			unset( $query['post_name__in'], $query['slug'] );
			return $query;
		}
	);
}

/** A replica that lags behind: posts of these statuses are neither listed nor found by id. */
function hide( array $hidden ): void {
	on_every_type(
		'rest_%s_query',
		function ( array $query ) use ( $hidden ) {
			if ( ! isset( $query['post_type'] ) ) {
				return $query;
			}
			$asked = (array) $query['post_status'];
			if ( in_array( 'any', $asked, true ) ) {
				$asked = array_merge( $asked, get_post_stati( array( 'exclude_from_search' => false ) ) );
			}
			$query['post_status'] = array_values( array_diff( $asked, $hidden, array( 'any' ) ) );
			// WordPress takes an empty list of statuses for the default one.
			if ( array() === $query['post_status'] ) {
				$query['post__in'] = array( 0 );
			}
			return $query;
		}
	);
	on_request(
		function ( \WP_REST_Request $request ) use ( $hidden ) {
			$post = 'GET' === $request->get_method() && preg_match( '#^/wp/v2/[^/]+/\d+$#D', $request->get_route() )
				? get_post( (int) $request['id'] )
				: null;
			return $post && in_array( $post->post_status, $hidden, true )
				? new \WP_Error( 'rest_post_invalid_id', 'Invalid post ID.', array( 'status' => 404 ) )
				: null;
		}
	);
}

function refuse( string $message ): never {
	http_response_code( 400 );
	header( 'Content-Type: application/json; charset=UTF-8' );
	echo json_encode( array( 'code' => 'lab_unknown_fault', 'message' => "X-Lab-Fault: $message" ) ), "\n";
	exit;
}

foreach ( faults_of_request() as [ $name, $argument ] ) {
	if ( ! arm( $name, $argument ) ) {
		refuse( "there is no fault named '$name'" );
	}
}
