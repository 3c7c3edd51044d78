import type { Page } from '../server/page.ts';
import type { Frame } from '../server/visit.ts';
import { noticesIn } from '../ui/personal-notices.tsx';
import { PayPage } from './layout.tsx';

const { notice, brokenPage } = noticesIn(PayPage);

export { brokenPage };

export const missingPage = (frame: Frame): Page =>
  notice(frame, {
    title: 'Compra não encontrada',
    heading: 'Não encontramos esta compra.',
    lead: 'Confira se o link veio inteiro, ou peça outro na loja. Nada foi cobrado.',
    ways: [
      { to: '/carteira/pagar', text: 'Digitar o código da loja' },
      { to: '/perguntas', text: 'Ajuda' },
    ],
  });
