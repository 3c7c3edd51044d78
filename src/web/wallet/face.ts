import type { Face } from '../server/face.ts';
import { addApp } from '../server/install.ts';
import { addPersonalPages } from '../server/personal.ts';
import { leadingTo } from '../server/sign-in.ts';
import { offlinePage } from '../ui/offline.tsx';
import { WALLET_APP } from '../ui/personal-layout.tsx';
import { brokenPage, missingPage } from './notices.tsx';
import { FORMS, PAGES } from './routes.ts';

/** The consumer's wallet, which can be installed on a phone. */
export const walletFace: Face = {
  prefixes: ['/carteira'],
  add(host) {
    const frameOf = addPersonalPages(host, {
      people: host.customers,
      home: '/carteira',
      signInFor: (page) => leadingTo('/carteira/entrar', page === '/carteira' ? undefined : page),
      pages: PAGES,
      forms: FORMS,
      missingPage,
    });
    addApp(
      host,
      {
        ...WALLET_APP,
        name: 'Semana',
        shortName: 'Semana',
        description: 'Compras, parcelas, PIX e cashback.',
        scope: '/',
        colors: { ground: '#0a7048', bar: '#fff', day: '#ffc94d' },
      },
      { page: () => offlinePage(WALLET_APP, 'Semana, sua carteira'), styles: WALLET_APP.styles },
    );
    return {
      missing: (request, reply) => missingPage(frameOf(request, reply)),
      broken: (request, reply, fault) => brokenPage(frameOf(request, reply), fault),
    };
  },
};
