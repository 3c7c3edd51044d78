/** How the code of an invitation looks. */
export const INVITATION = /^[A-Za-z0-9-]{4,20}$/;
