import type { ComponentChildren } from 'preact';
import type { Fault } from '../server/face.ts';
import type { Page } from '../server/page.ts';
import { INVITATION } from '../ui/agreement.ts';
import { LinkButton, QuietLink } from '../ui/buttons.tsx';
import { Coin } from '../ui/icons.tsx';
import { Layout } from '../ui/layout.tsx';
import { faultNotice, NoticeBody } from '../ui/personal-notices.tsx';
import type { MakePage } from './visit.ts';

type SiteNotice = {
  siteUrl: string;
  status?: number | undefined;
  title: string;
  path?: string;
  description?: string;
  children: ComponentChildren;
};

/** A page with one message. */
const notice = (given: SiteNotice): Page => {
  const { siteUrl, status = 200, title, path = '/-', description = title, children } = given;
  return {
    status,
    body: (
      <Layout head={{ title, description, path, siteUrl, hidden: true }}>
        <div class="wrap narrow notice">{children}</div>
      </Layout>
    ),
  };
};

export const notFoundPage = (siteUrl: string): Page =>
  notice({
    siteUrl,
    status: 404,
    title: 'Página não encontrada',
    children: (
      <NoticeBody
        code="404"
        heading="Esta página não existe ou mudou de endereço."
        lead="Confira o endereço ou continue por aqui."
        ways={[
          { to: '/lojas', text: 'Ver lojas' },
          { to: '/', text: 'Página inicial' },
        ]}
      />
    ),
  });

export function faultPage(siteUrl: string, fault: Fault): Page {
  const { status, title, ...said } = faultNotice(fault, 'Nada do que você fez se perdeu.');
  return notice({ siteUrl, status, title, children: <NoticeBody {...said} /> });
}

export const invitationPage: MakePage = async ({ siteUrl, params }) => {
  const code = params.code!.toUpperCase();
  if (!INVITATION.test(code)) return notFoundPage(siteUrl);
  return notice({
    siteUrl,
    title: 'Um convite para a Semana',
    path: `/convite/${code}`,
    description:
      'Compre nas lojas do bairro, pague por semana com PIX e ganhe cashback nas primeiras parcelas.',
    children: (
      <>
        <span class="step-icon">
          <Coin />
        </span>
        <h1>Você ganhou um convite com cashback.</h1>
        <p class="lead">
          Crie a sua conta com este convite. Quando você pagar as primeiras parcelas, recebe cashback de
          boas-vindas, e quem convidou também ganha.
        </p>
        <p class="ticket">
          <span class="muted">Código do convite</span>
          <strong>{code}</strong>
        </p>
        <p class="actions">
          <LinkButton to={`/carteira/cadastro?convite=${code}`}>Criar minha conta</LinkButton>
          <QuietLink to="/#como-funciona">Como funciona</QuietLink>
        </p>
        <p class="hint">
          O convite vale para quem ainda não tem conta. Depois do cadastro, você tem 90 dias para pagar as
          primeiras parcelas.
        </p>
      </>
    ),
  });
};

export const thanksPage = (siteUrl: string, path: string): Page =>
  notice({
    siteUrl,
    title: 'Recebemos a sua mensagem',
    path,
    children: (
      <>
        <p class="notice-code" aria-hidden="true">
          ✓
        </p>
        <NoticeBody
          heading="Recebemos a sua mensagem."
          lead="Uma pessoa da equipe responde em até dois dias úteis, pelo contato que você informou."
          ways={[
            { to: '/lojas', text: 'Ver lojas' },
            { to: '/blog', text: 'Ler o blog' },
          ]}
        />
      </>
    ),
  });
