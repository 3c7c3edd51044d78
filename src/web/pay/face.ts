import type { Face } from '../server/face.ts';
import { addPersonalPages } from '../server/personal.ts';
import { codePage, dataPage, ENTER_FORMS } from './enter.tsx';
import { brokenPage, missingPage } from './notices.tsx';
import { OFFER_FORMS, offerPage } from './offer.tsx';

const HOME = '/pagar';
const open = (make: typeof offerPage) => ({ make, isPrivate: false });

/** The hosted page of an open offer: read by whoever has the link, claimed and accepted by who signs in or up on it. */
export const payFace: Face = {
  prefixes: [HOME],
  add(host) {
    const frameOf = addPersonalPages(host, {
      people: host.customers,
      home: HOME,
      // The page itself asks for the phone.
      signInFor: (page) => page,
      pages: {
        [HOME]: open(async () => ({ to: '/carteira/pagar' })),
        '/pagar/:token': open(offerPage),
        '/pagar/:token/codigo': open(codePage),
        '/pagar/:token/dados': open(dataPage),
      },
      forms: { ...ENTER_FORMS, ...OFFER_FORMS },
      missingPage,
    });
    return {
      missing: (request, reply) => missingPage(frameOf(request, reply)),
      broken: (request, reply, fault) => brokenPage(frameOf(request, reply), fault),
    };
  },
};
