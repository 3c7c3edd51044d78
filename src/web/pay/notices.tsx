import type { ComponentChildren } from 'preact';
import type { Fault } from '../server/face.ts';
import type { Page } from '../server/page.ts';
import type { Frame } from '../server/visit.ts';
import { PayLayout } from './layout.tsx';

function notice(frame: Frame, given: { status: number; title: string; children: ComponentChildren }): Page {
  const { status, title, children } = given;
  return {
    status,
    body: (
      <PayLayout title={title} visit={{ ...frame, flash: undefined }}>
        <div class="wrap narrow notice">{children}</div>
      </PayLayout>
    ),
  };
}

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

export const brokenPage = (frame: Frame, { away, address }: Fault): Page =>
  notice(frame, {
    status: away ? 503 : 500,
    title: 'Algo deu errado',
    children: (
      <>
        <h1>{away ? 'Estamos fora do ar no momento.' : 'Algo deu errado do nosso lado.'}</h1>
        <p class="lead">Nada se perdeu e nada foi cobrado agora. Espere um minuto e tente de novo.</p>
        <p class="actions">
          <a class="button" href={address}>
            Tentar de novo
          </a>
          <a class="button quiet" href="/contato">
            Falar com a gente
          </a>
        </p>
      </>
    ),
  });
