import type { Page } from '../server/page.ts';
import type { Frame } from '../server/visit.ts';
import { noticesIn } from '../ui/personal-notices.tsx';
import { TillPage } from './layout.tsx';

const { notice, brokenPage } = noticesIn(TillPage);

export { brokenPage };

export const missingPage = (frame: Frame): Page =>
  notice(frame, {
    title: 'Página não encontrada',
    code: '404',
    heading: 'Não encontramos esta página.',
    lead: 'Ela não existe, não é desta loja, ou é só para quem responde pela loja.',
    ways: [
      { to: '/balcao', text: 'Nova venda' },
      { to: '/balcao/vendas', text: 'Vendas de hoje' },
    ],
  });
