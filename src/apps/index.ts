export { siteStartListener } from './module.ts';
export { SANDBOX_TILL_KEY, SANDBOX_WEB_KEY } from './settings.ts';
