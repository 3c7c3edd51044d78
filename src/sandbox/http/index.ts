export { deleteSandboxClock } from './delete-sandbox-clock.ts';
export { getSandboxClock } from './get-sandbox-clock.ts';
export { getSandboxMessages } from './get-sandbox-messages.ts';
export { postSandboxClock } from './post-sandbox-clock.ts';
export { postSandboxReset } from './post-sandbox-reset.ts';
