import type { Page } from '../server/page.ts';
import type { Frame } from '../server/visit.ts';
import { LinkButton } from '../ui/buttons.tsx';
import { showPhone } from '../ui/format.ts';
import { noticesIn } from '../ui/personal-notices.tsx';
import { WalletPage } from './layout.tsx';

const { notice, brokenPage } = noticesIn(WalletPage);

export { brokenPage };

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
          <LinkButton to="/carteira">Minha carteira</LinkButton>
          <LinkButton quiet to="/perguntas">
            Ajuda
          </LinkButton>
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
          <LinkButton to="/carteira/ofertas">Minhas ofertas</LinkButton>
          <LinkButton quiet to="/carteira">
            Minha carteira
          </LinkButton>
        </p>
      </>
    ),
  });
