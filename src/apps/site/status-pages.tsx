import type { ComponentChildren } from 'preact';
import type { PageFailure } from '../server/app.ts';
import type { Page } from '../server/page.ts';
import { REFERRAL_CODE_PATTERN } from '../text/format.ts';
import { LinkButton, QuietLink } from '../ui/buttons.tsx';
import { StepIcon } from '../ui/components.tsx';
import { Coin } from '../ui/icons.tsx';
import { Layout } from '../ui/layout.tsx';
import { describeServerError, StatusBody } from '../ui/personal-app.tsx';
import type { SitePageHandler } from './visit.ts';

type StatusPageProps = {
  siteUrl: string;
  status?: number | undefined;
  title: string;
  path?: string;
  description?: string;
  children: ComponentChildren;
};

/** Pages without a public URL need some path for their metadata. Search engines do not index them. */
const PRIVATE_PATH = '/-';

const createStatusPage = (props: StatusPageProps): Page => {
  const { siteUrl, status = 200, title, path = PRIVATE_PATH, description = title, children } = props;
  return {
    status,
    body: (
      <Layout head={{ title, description, path, siteUrl, noindex: true }}>
        <div class="wrap narrow status-page">{children}</div>
      </Layout>
    ),
  };
};

export const buildNotFoundPage = (siteUrl: string): Page =>
  createStatusPage({
    siteUrl,
    status: 404,
    title: 'Página não encontrada',
    children: (
      <StatusBody
        code="404"
        heading="Esta página não existe ou mudou de endereço."
        lead="Confira o endereço ou continue por aqui."
        links={[
          { href: '/lojas', text: 'Ver lojas' },
          { href: '/', text: 'Página inicial' },
        ]}
      />
    ),
  });

export function buildFailurePage(siteUrl: string, failure: PageFailure): Page {
  const { status, title, ...message } = describeServerError(failure, 'Nada do que você fez se perdeu.');
  return createStatusPage({ siteUrl, status, title, children: <StatusBody {...message} /> });
}

export const invitationPage: SitePageHandler = async ({ siteUrl, params }) => {
  const code = params.code!.toUpperCase();
  if (!REFERRAL_CODE_PATTERN.test(code)) return buildNotFoundPage(siteUrl);
  return createStatusPage({
    siteUrl,
    title: 'Um convite para a Semana',
    path: `/convite/${code}`,
    description:
      'Compre nas lojas do bairro, pague por semana com PIX e ganhe cashback nas primeiras parcelas.',
    children: (
      <>
        <StepIcon>
          <Coin />
        </StepIcon>
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
          <LinkButton href={`/carteira/cadastro?convite=${code}`}>Criar minha conta</LinkButton>
          <QuietLink href="/#como-funciona">Como funciona</QuietLink>
        </p>
        <p class="hint">
          O convite vale para quem ainda não tem conta. Depois do cadastro, você tem 90 dias para pagar as
          primeiras parcelas.
        </p>
      </>
    ),
  });
};

/** Confirms that a form was received. `path` is the URL that the form redirects to. */
export const buildThanksPage = (siteUrl: string, path: string): Page =>
  createStatusPage({
    siteUrl,
    title: 'Recebemos a sua mensagem',
    path,
    children: (
      <>
        <p class="status-page-code" aria-hidden="true">
          ✓
        </p>
        <StatusBody
          heading="Recebemos a sua mensagem."
          lead="Uma pessoa da equipe responde em até dois dias úteis, pelo contato que você informou."
          links={[
            { href: '/lojas', text: 'Ver lojas' },
            { href: '/blog', text: 'Ler o blog' },
          ]}
        />
      </>
    ),
  });
