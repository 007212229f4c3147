<?php
// As much of WordPress as a plugin of filters meets: the filters, and requests that are written down instead of sent.
$filters  = array();
$requests = array();
$inline   = array();

function add_filter( $name, $function, $priority = 10, $arguments = 1 ) {
	global $filters;
	$filters[ $name ][ $priority ][] = array( $function, $arguments );
	return true;
}

function apply_filters( $name, $value, ...$more ) {
	global $filters;
	$at = $filters[ $name ] ?? array();
	ksort( $at );
	foreach ( array_merge( ...array_values( $at ) ) as list( $function, $arguments ) ) {
		$value = call_user_func_array( $function, array_slice( array( $value, ...$more ), 0, $arguments ) );
	}
	return $value;
}

function add_action( $name, $function, $priority = 10, $arguments = 1 ) {
	return add_filter( $name, $function, $priority, $arguments );
}

function do_action( $name ) {
	apply_filters( $name, null );
}

function wp_add_inline_script( $handle, $script, $position = 'after' ) {
	global $inline;
	$inline[ $handle ][ $position ][] = $script;
	return true;
}

function esc_url( $url ) {
	return apply_filters( 'clean_url', str_replace( '&', '&#038;', $url ), $url, 'display' );
}

function wp_json_encode( $value ) {
	return json_encode( $value );
}

function wp_remote_request( $url, $request = array() ) {
	global $requests;
	$request += array( 'method' => 'GET', 'reject_unsafe_urls' => false );
	$answer   = apply_filters( 'pre_http_request', false, $request, $url );
	if ( false !== $answer ) {
		return $answer;
	}
	$requests[] = array( 'url' => $url ) + $request;
	return array( 'body' => 'answer of ' . $url );
}

function wp_safe_remote_get( $url, $request = array() ) {
	return wp_remote_request( $url, array( 'reject_unsafe_urls' => true ) + $request );
}

function wp_remote_post( $url, $request = array() ) {
	return wp_remote_request( $url, array( 'method' => 'POST' ) + $request );
}
