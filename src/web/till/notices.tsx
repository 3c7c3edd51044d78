import type { Page } from '../server/page.ts';
import type { Frame } from '../server/visit.ts';
import { LinkButton } from '../ui/buttons.tsx';
import { noticesIn } from '../ui/personal-notices.tsx';
import { TillPage } from './layout.tsx';

const { notice, brokenPage } = noticesIn(TillPage);

export { brokenPage };

export const missingPage = (frame: Frame): Page =>
  notice(frame, {
    status: 404,
    title: 'Página não encontrada',
    children: (
      <>
        <p class="notice-code">404</p>
        <h1>Não encontramos esta página.</h1>
        <p class="lead">Ela não existe, não é desta loja, ou é só para quem responde pela loja.</p>
        <p class="actions">
          <LinkButton to="/balcao">Nova venda</LinkButton>
          <LinkButton to="/balcao/vendas" quiet>
            Vendas de hoje
          </LinkButton>
        </p>
      </>
    ),
  });
