export const WEBHOOK_ID = { name: 'WEBHOOK_ID', help: 'id of the endpoint, see webhook list' };
