/** The version of the terms that whoever signs up agrees to; another text is another version. */
export const TERMS = '2026-11';

/** How the code of an invitation looks. */
export const INVITATION = /^[A-Za-z0-9-]{4,20}$/;
