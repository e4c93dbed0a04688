<?php
/**
 * Plugin Name: Lab: post types
 * Description: Two post types as plugins register them, under routes of their own names.
 *
 * lab_book: flat, under /wp/v2/books, without categories, excerpts and images. It keeps
 * the meta lab_pages (integer), lab_subtitle (string) and lab_short (at most three
 * letters: 400 rest_too_long for more, the post exists).
 * lab_chapter: with parents, like pages, under its own name.
 */

add_action(
	'init',
	function () {
		$usual = array(
			'public'              => true,
			'exclude_from_search' => true,
			'rewrite'             => false,
			'query_var'           => false,
			'show_in_rest'        => true,
		);
		register_post_type(
			'lab_book',
			array(
				'label'     => 'Lab books',
				'rest_base' => 'books',
				'supports'  => array( 'title', 'editor', 'custom-fields' ),
			) + $usual
		);
		register_post_type(
			'lab_chapter',
			array(
				'label'        => 'Lab chapters',
				'hierarchical' => true,
				'supports'     => array( 'title', 'editor', 'page-attributes' ),
			) + $usual
		);
		$meta = array(
			'lab_pages'    => array( 'type' => 'integer' ),
			'lab_subtitle' => array( 'type' => 'string' ),
			'lab_short'    => array(
				'type'         => 'string',
				'show_in_rest' => array( 'schema' => array( 'maxLength' => 3 ) ),
			),
		);
		foreach ( $meta as $key => $about ) {
			register_post_meta( 'lab_book', $key, $about + array( 'single' => true, 'show_in_rest' => true ) );
		}
	}
);
