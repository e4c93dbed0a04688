<?php
/**
 * Plugin Name: Lab: meta fields
 * Description: Two post meta fields with which core itself answers an error after the insert.
 *
 * lab_protected: nobody may write it (403 rest_cannot_update, the post exists).
 * lab_number: an integer (400 rest_invalid_type for anything else, the post exists).
 */

add_action(
	'init',
	function () {
		register_post_meta(
			'',
			'lab_protected',
			array(
				'type'          => 'string',
				'single'        => true,
				'show_in_rest'  => true,
				'auth_callback' => '__return_false',
			)
		);
		register_post_meta(
			'',
			'lab_number',
			array(
				'type'         => 'integer',
				'single'       => true,
				'show_in_rest' => true,
			)
		);
	}
);
