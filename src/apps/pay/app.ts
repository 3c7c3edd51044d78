import type { App } from '../server/app.ts';
import { addPersonalPages } from '../server/personal-pages.tsx';
import { createStatusPages } from '../ui/status-pages.tsx';
import { PayPage } from './layout.tsx';
import { OFFER_FORMS, offerPage } from './offer.tsx';
import { codePage, dataPage, SIGN_IN_FORMS } from './sign-in.tsx';

const HOME = '/pagar';

/** The hosted payment page of an offer. Anyone with the link can read it; a customer who signs in or up there can claim and accept it. */
export const payApp: App = {
  pathPrefixes: [HOME],
  addRoutes: (host) =>
    addPersonalPages(host, {
      accounts: host.customers,
      home: HOME,
      // The page itself has the sign-in form.
      signInPathFor: (page) => page,
      privatePages: {},
      publicPages: {
        [HOME]: async () => ({ redirectTo: '/carteira/pagar' }),
        '/pagar/:token': offerPage,
        '/pagar/:token/codigo': codePage,
        '/pagar/:token/dados': dataPage,
      },
      forms: { ...SIGN_IN_FORMS, ...OFFER_FORMS },
      ...createStatusPages(PayPage, {
        title: 'Compra não encontrada',
        heading: 'Não encontramos esta compra.',
        lead: 'Confira se o link veio inteiro, ou peça outro na loja. Nada foi cobrado.',
        links: [
          { href: '/carteira/pagar', text: 'Digitar o código da loja' },
          { href: '/perguntas', text: 'Ajuda' },
        ],
      }),
    }),
};
