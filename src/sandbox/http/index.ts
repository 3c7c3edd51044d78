export { deleteSandboxClock, getSandboxClock, postSandboxClock } from './sandbox-clock.ts';
export { getOwnSandboxMessages, getSandboxMessages } from './sandbox-messages.ts';
export { postSandboxReset } from './sandbox-reset.ts';
