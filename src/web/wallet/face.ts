import type { Face } from '../server/face.ts';
import { addApp } from '../server/install.ts';
import { addPersonalPages } from '../server/personal.ts';
import { leadingTo } from '../server/sign-in.ts';
import { offlinePage } from '../ui/offline.tsx';
import { WALLET_APP } from '../ui/personal-layout.tsx';
import { brokenPage, missingPage } from './notices.tsx';
import { FORMS, OPEN_PAGES, PAGES } from './routes.ts';

/** The consumer's wallet, which can be installed on a phone. */
export const walletFace: Face = {
  prefixes: ['/carteira'],
  add(host) {
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
      () => offlinePage(WALLET_APP, 'Semana, sua carteira'),
    );
    return addPersonalPages(host, {
      people: host.customers,
      home: '/carteira',
      signInFor: (page) => leadingTo('/carteira/entrar', page === '/carteira' ? undefined : page),
      pages: PAGES,
      openPages: OPEN_PAGES,
      forms: FORMS,
      missingPage,
      brokenPage,
    });
  },
};
