<?php
/**
 * Plugin Name: Afterword for wp-parsely
 * Description: Points the Parse.ly plugin (wp-parsely) at an Afterword server: its tracker, its API, its recommendations and its AMP pages.
 * Version: 1.0.0
 * Requires PHP: 7.4
 * License: MIT
 *
 * Copy this file to wp-content/mu-plugins/ and add the server's address to wp-config.php:
 *
 *     define( 'AFTERWORD_URL', 'https://stats.example.com' );
 *
 * Without the constant, wp-parsely works as before.
 */

namespace Afterword;

if ( ! \defined( 'AFTERWORD_URL' ) ) {
	return;
}

/** The server's address, without a slash at its end. */
function server(): string {
	return \rtrim( \AFTERWORD_URL, '/' );
}

/** The same address on the server: of the API and of the tracker. Other addresses are returned as they are. */
function rehost( $url ) {
	return \preg_replace( '#^(?:https?:)?//(?:api|cdn)\.parsely\.com(?=[/?\#]|$)#i', server(), (string) $url );
}

// Requests of PHP: statistics, recommendations, metadata, the check of credentials. The server may be on a private network,
// which WordPress refuses by default for addresses that it did not choose.
\add_filter(
	'pre_http_request',
	function ( $answer, $request, $url ) {
		if ( false !== $answer || rehost( $url ) === (string) $url ) {
			return $answer;
		}
		return \wp_remote_request( rehost( $url ), array( 'reject_unsafe_urls' => false ) + $request );
	},
	10,
	3
);

// Addresses in pages: the tracker's script, its resource hint, the widget's `data-parsely-widget-api-url`.
\add_filter( 'script_loader_src', __NAMESPACE__ . '\rehost' );
\add_filter( 'clean_url', __NAMESPACE__ . '\rehost' );

// With an API Secret, the plugin's loader sends the reader's id and the page to the vendor's address, which is in its script,
// where the page has the Site ID under one of these names. The server's tracker trains profiles itself.
\add_action(
	'wp_enqueue_scripts',
	function () {
		$unknown = 'window.wpParselySiteId = window.wpParselySiteID = window.wpParselyApiKey = undefined;';
		\wp_add_inline_script( 'wp-parsely-loader', $unknown, 'before' );
	},
	PHP_INT_MAX
);

// AMP pages: `amp-analytics` of the type "parsely" sends its pixels to `requests.host`.
\add_filter(
	'amp_post_template_analytics',
	function ( $entries ) {
		if ( isset( $entries['parsely'] ) ) {
			$entries['parsely']['config_data']['requests']['host'] = server();
		}
		return $entries;
	},
	20
);
\add_filter(
	'amp_analytics_entries',
	function ( $entries ) {
		if ( isset( $entries['parsely'] ) ) {
			$config                     = \json_decode( $entries['parsely']['config'], true );
			$config['requests']['host'] = server();
			$entries['parsely']['config'] = \wp_json_encode( $config );
		}
		return $entries;
	},
	20
);

// Web Stories: the plugin prints the same element, which passes no filter.
\add_action( 'web_stories_print_analytics', 'ob_start', 9, 0 );
\add_action(
	'web_stories_print_analytics',
	function () {
		echo \preg_replace_callback(
			'#(<amp-analytics type="parsely">\s*<script type="application/json">)(.*?)(</script>)#s',
			function ( $found ) {
				list( $whole, $before, $json, $after ) = $found;

				$config = \json_decode( $json, true );
				if ( ! \is_array( $config ) ) {
					return $whole;
				}
				$config['requests']['host'] = server();
				return $before . \wp_json_encode( $config ) . $after;
			},
			\ob_get_clean()
		);
	},
	11
);
