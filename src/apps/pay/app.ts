import { createPersonalApp } from '../ui/personal-app.tsx';
import { PayPage } from './layout.tsx';
import { OFFER_FORMS, offerPage } from './offer.tsx';
import { codePage, SIGN_IN_FORMS, signUpPage } from './sign-in.tsx';

const HOME = '/pagar';

/** The hosted payment page of an offer. Anyone with the link can read it; a customer who signs in or up there can claim and accept it. */
export const payApp = createPersonalApp({
  accountKind: 'customers',
  home: HOME,
  layout: PayPage,
  notFound: {
    title: 'Compra não encontrada',
    heading: 'Não encontramos esta compra.',
    lead: 'Confira se o link veio inteiro, ou peça outro na loja. Nada foi cobrado.',
    links: [
      { href: '/carteira/pagar', text: 'Digitar o código da loja' },
      { href: '/perguntas', text: 'Ajuda' },
    ],
  },
  privatePages: {},
  publicPages: {
    [HOME]: async () => ({ redirectTo: '/carteira/pagar' }),
    '/pagar/:token': offerPage,
    '/pagar/:token/codigo': codePage,
    '/pagar/:token/dados': signUpPage,
  },
  forms: { ...SIGN_IN_FORMS, ...OFFER_FORMS },
});
