export { openWeb, type RunningWeb } from './open.ts';
export { SANDBOX_WEB_KEY } from './settings.ts';
