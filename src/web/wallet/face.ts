import type { Face } from '../server/face.ts';
import { A_DAY, sendKept } from '../server/page.ts';
import { addPersonalPages } from '../server/personal.ts';
import { leadingTo } from '../server/sign-in.ts';
import { drawIcon, manifest } from './install.ts';
import { brokenPage, missingPage } from './notices.tsx';
import { offlinePage } from './offline.tsx';
import { FORMS, PAGES } from './routes.ts';
import { OFFLINE, worker } from './worker.ts';

/** The consumer's wallet, which can be installed on a phone. */
export const walletFace: Face = {
  prefixes: ['/carteira'],
  add(host) {
    const { server, sendPage } = host;
    const frameOf = addPersonalPages(host, {
      home: '/carteira',
      signInFor: (page) => leadingTo('/carteira/entrar', page === '/carteira' ? undefined : page),
      pages: PAGES,
      forms: FORMS,
      missingPage,
    });
    server.get('/manifest.webmanifest', sendKept(manifest, A_DAY));
    server.get('/icon-:size.png', async (request, reply) => {
      const drawn = await drawIcon((request.params as { size: string }).size);
      return drawn ? sendKept(drawn, A_DAY)(request, reply) : reply.callNotFound();
    });
    server.get('/worker.js', sendKept(worker, 'no-cache'));
    server.get(OFFLINE, (request, reply) => sendPage(request, reply, offlinePage()));
    return {
      missing: (request, reply) => missingPage(frameOf(request, reply)),
      broken: (request, reply, fault) => brokenPage(frameOf(request, reply), fault),
    };
  },
};
