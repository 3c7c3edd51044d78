import { nodeTransport } from '#client';
import { Cookies } from '../server/cookies.ts';
import { type ListenOptions, lazily, openListener } from '../server/listener.ts';
import { serveMedia } from '../server/media.ts';
import { timedTransport } from '../server/transport.ts';
import { acceptUploads } from '../server/upload.ts';
import { ENTER_PAGES } from './enter.tsx';
import { brokenPage, missingPage, plainMissingPage } from './notices.tsx';
import { Office } from './pages.ts';
import { DOWNLOADS, FORMS, PAGES } from './routes.ts';

type Options = ListenOptions & {
  staffUrl: string;
  publicSite: string | null;
  secret: Buffer;
  timeoutMs?: number;
  isSandbox: boolean;
};

/** The back office: a process of its own, and a client of the staff door with the session of who is signed in. */
export async function serveOffice(options: Options): Promise<{ url: string; close(): Promise<void> }> {
  const listener = openListener(options, {
    name: 'semana office',
    notFoundPage: plainMissingPage,
    errorsOf: () => ({
      missing: (request) => missingPage(office.visitOf(request)),
      broken: (request, _reply, fault) => brokenPage(office.visitOf(request), fault),
    }),
  });
  acceptUploads(listener.server);
  serveMedia(listener.server, options.staffUrl);
  const { staffUrl, publicSite, isSandbox, log } = options;
  const cookies = lazily(() => new Cookies(options.secret, listener.siteUrl(), 'Strict'));
  const transport = timedTransport(options.timeoutMs);
  const office = new Office({
    ...listener,
    staffUrl,
    publicSite,
    transport,
    streaming: nodeTransport(),
    cookies,
    isSandbox,
    log,
  });
  for (const [path, make] of Object.entries(ENTER_PAGES)) office.addPage(path, make, true);
  for (const [path, make] of Object.entries(PAGES)) office.addPage(path, make);
  for (const [path, form] of Object.entries(FORMS)) office.addForm(path, form);
  for (const [path, open] of Object.entries(DOWNLOADS)) office.addDownload(path, open);
  return listener.listen();
}
