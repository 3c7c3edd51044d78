import type { Page } from '../server/page.ts';
import type { Frame } from '../server/visit.ts';
import { LinkButton } from '../ui/buttons.tsx';
import { noticesIn } from '../ui/personal-notices.tsx';
import { PayPage } from './layout.tsx';

const { notice, brokenPage } = noticesIn(PayPage);

export { brokenPage };

export const missingPage = (frame: Frame): Page =>
  notice(frame, {
    status: 404,
    title: 'Compra não encontrada',
    children: (
      <>
        <h1>Não encontramos esta compra.</h1>
        <p class="lead">Confira se o link veio inteiro, ou peça outro na loja. Nada foi cobrado.</p>
        <p class="actions">
          <LinkButton to="/carteira/pagar">Digitar o código da loja</LinkButton>
          <LinkButton quiet to="/perguntas">
            Ajuda
          </LinkButton>
        </p>
      </>
    ),
  });
