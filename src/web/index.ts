export { SANDBOX_WEB_KEY } from './settings.ts';
