import type { Face } from '../server/face.ts';
import { addPersonalPages } from '../server/personal.ts';
import { codePage, dataPage, ENTER_FORMS } from './enter.tsx';
import { brokenPage, missingPage } from './notices.tsx';
import { OFFER_FORMS, offerPage } from './offer.tsx';

const HOME = '/pagar';

/** The hosted page of an open offer: read by whoever has the link, claimed and accepted by who signs in or up on it. */
export const payFace: Face = {
  prefixes: [HOME],
  add: (host) =>
    addPersonalPages(host, {
      people: host.customers,
      home: HOME,
      // The page itself asks for the phone.
      signInFor: (page) => page,
      pages: {},
      openPages: {
        [HOME]: async () => ({ to: '/carteira/pagar' }),
        '/pagar/:token': offerPage,
        '/pagar/:token/codigo': codePage,
        '/pagar/:token/dados': dataPage,
      },
      forms: { ...ENTER_FORMS, ...OFFER_FORMS },
      missingPage,
      brokenPage,
    }),
};
