import type { Page } from '../server/page.ts';
import type { Frame } from '../server/visit.ts';
import { noticesIn } from '../ui/personal-notices.tsx';
import { PayLayout } from './layout.tsx';

const { notice, brokenPage } = noticesIn(PayLayout);

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
          <a class="button" href="/carteira/pagar">
            Digitar o código da loja
          </a>
          <a class="button quiet" href="/perguntas">
            Ajuda
          </a>
        </p>
      </>
    ),
  });
