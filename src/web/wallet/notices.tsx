import type { Page } from '../server/page.ts';
import type { Frame } from '../server/visit.ts';
import { showPhone } from '../text/format.ts';
import { noticesIn } from '../ui/personal-notices.tsx';
import { WalletPage } from './layout.tsx';

const { notice, brokenPage } = noticesIn(WalletPage);

export { brokenPage };

export const missingPage = (frame: Frame): Page =>
  notice(frame, {
    title: 'Página não encontrada',
    code: '404',
    heading: 'Não encontramos esta página.',
    lead: 'Ela não existe mais, ou não é desta conta.',
    ways: [
      { to: '/carteira', text: 'Minha carteira' },
      { to: '/perguntas', text: 'Ajuda' },
    ],
  });

/** The customer who is signed in has another phone than the offer was made to. */
export const anothersOfferPage = (frame: Frame): Page =>
  notice(frame, {
    title: 'Oferta de outro celular',
    heading: 'Esta oferta foi feita para outro celular.',
    lead: (
      <>
        Entre com o celular que recebeu a mensagem. Se a oferta era para você, peça à loja que a faça para o
        celular desta conta{frame.who && `, ${showPhone(frame.who.phone)}`}.
      </>
    ),
    ways: [
      { to: '/carteira/ofertas', text: 'Minhas ofertas' },
      { to: '/carteira', text: 'Minha carteira' },
    ],
  });
