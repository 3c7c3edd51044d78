import { payApp } from './pay/app.ts';
import type { App } from './server/app.ts';
import { startAppServer } from './server/app-server.ts';
import { siteApp } from './site/app.ts';
import { buildNotFoundPage } from './site/status-pages.tsx';
import type { WebOptions } from './start.ts';
import { tillApp } from './till/app.ts';
import { walletApp } from './wallet/app.ts';

/** A new app is one line here. The site comes last, because it serves all paths that belong to no other app. */
const APPS: readonly App[] = [walletApp, payApp, tillApp, siteApp];

export const serveApps = (options: WebOptions) =>
  startAppServer(options, { apps: APPS, renderBadUrlPage: buildNotFoundPage });
