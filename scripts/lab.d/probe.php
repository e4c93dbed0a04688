<?php
/**
 * Is the site ready? php -n probe.php URL SITE.JSON; exit 0 or 1.
 *
 * Ready means: the REST index comes, application passwords are on, and the
 * author's opens the door. Asked the way that needs no permalinks.
 */

[ , $url, $file ] = $argv;
$password         = json_decode( file_get_contents( $file ) )->users->author->password;

function ask( string $url, string $headers = '' ): ?object {
	$options = array(
		'timeout' => 10,
		'header'  => $headers,
	);
	$body    = @file_get_contents( $url, false, stream_context_create( array( 'http' => $options ) ) );
	$answer  = json_decode( $body ?: '' );
	return is_object( $answer ) ? $answer : null;
}

$index = ask( "$url/?rest_route=/" );
$me    = isset( $index->authentication->{'application-passwords'} )
	? ask( "$url/?rest_route=/wp/v2/users/me", 'Authorization: Basic ' . base64_encode( "author:$password" ) )
	: null;
exit( isset( $me->id ) ? 0 : 1 );
