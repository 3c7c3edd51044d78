import type { ComponentChildren } from 'preact';
import type { Fault } from '../server/face.ts';
import type { Page } from '../server/page.ts';
import type { Frame } from '../server/visit.ts';
import { showPhone } from '../ui/format.ts';
import { WalletLayout } from './layout.tsx';

function notice(frame: Frame, given: { status: number; title: string; children: ComponentChildren }): Page {
  const { status, title, children } = given;
  return {
    status,
    body: (
      <WalletLayout title={title} visit={{ ...frame, flash: undefined }}>
        <div class="wrap narrow notice">{children}</div>
      </WalletLayout>
    ),
  };
}

export const missingPage = (frame: Frame): Page =>
  notice(frame, {
    status: 404,
    title: 'Página não encontrada',
    children: (
      <>
        <p class="notice-code">404</p>
        <h1>Não encontramos esta página.</h1>
        <p class="lead">Ela não existe mais, ou não é desta conta.</p>
        <p class="actions">
          <a class="button" href="/carteira">
            Minha carteira
          </a>
          <a class="button quiet" href="/perguntas">
            Ajuda
          </a>
        </p>
      </>
    ),
  });

/** The customer who is signed in has another phone than the offer was made to. */
export const anothersOfferPage = (frame: Frame): Page =>
  notice(frame, {
    status: 404,
    title: 'Oferta de outro celular',
    children: (
      <>
        <h1>Esta oferta foi feita para outro celular.</h1>
        <p class="lead">
          Entre com o celular que recebeu a mensagem. Se a oferta era para você, peça à loja que a faça para o
          celular desta conta{frame.who && `, ${showPhone(frame.who.phone)}`}.
        </p>
        <p class="actions">
          <a class="button" href="/carteira/ofertas">
            Minhas ofertas
          </a>
          <a class="button quiet" href="/carteira">
            Minha carteira
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
        <h1>{away ? 'A carteira está fora do ar no momento.' : 'Algo deu errado do nosso lado.'}</h1>
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
