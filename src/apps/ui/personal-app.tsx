import type { ComponentChildren, FunctionComponent } from 'preact';
import type { App, PageFailure } from '../server/app.ts';
import { addInstallRoutes, type InstallableApp } from '../server/install.ts';
import type { Page } from '../server/page.ts';
import { addPersonalPages, type PersonalApp } from '../server/personal-pages.tsx';
import { addRedirectParam } from '../server/sign-in.ts';
import { type LayoutContext, VisitContext } from '../server/visit.ts';
import { LinkButton, QuietLink } from './buttons.tsx';
import type { Link } from './components.tsx';
import { Brand } from './icons.tsx';
import { type AppHead, PersonalHead, type PersonalPageProps } from './personal-layout.tsx';

export type StatusMessage = {
  status?: number;
  title: string;
  code?: string;
  heading: string;
  lead: ComponentChildren;
  links: [Link, Link];
};

export const StatusBody = ({
  code,
  heading,
  lead,
  links: [mainLink, otherLink],
}: Omit<StatusMessage, 'status' | 'title'>) => (
  <>
    {code && <p class="status-page-code">{code}</p>}
    <h1>{heading}</h1>
    <p class="lead">{lead}</p>
    <p class="actions">
      <LinkButton href={mainLink.href}>{mainLink.text}</LinkButton>
      <QuietLink href={otherLink.href}>{otherLink.text}</QuietLink>
    </p>
  </>
);

/** Describes an error of the API, or that it is unavailable. `reassurance` says what was not lost. */
export const describeServerError = (
  { isUnavailable, url }: PageFailure,
  reassurance: string,
): StatusMessage => ({
  status: isUnavailable ? 503 : 500,
  title: 'Algo deu errado',
  heading: isUnavailable ? 'Estamos fora do ar no momento.' : 'Algo deu errado do nosso lado.',
  lead: `${reassurance} Espere um minuto e tente de novo.`,
  links: [
    { href: url, text: 'Tentar de novo' },
    { href: '/contato', text: 'Falar com a gente' },
  ],
});

export const renderStatusPage = (
  AppPage: FunctionComponent<PersonalPageProps>,
  context: LayoutContext,
  { status = 404, title, ...message }: StatusMessage,
): Page => ({
  status,
  body: (
    <VisitContext.Provider value={{ ...context, flash: undefined }}>
      <AppPage title={title} head={null} wrapperClass="narrow status-page">
        <StatusBody {...message} />
      </AppPage>
    </VisitContext.Provider>
  ),
});

/** Creates the page that the service worker caches. It is the same for all visitors and has no personal data. */
export const createOfflinePage = (app: AppHead, label: string): Page => ({
  body: (
    <html lang="pt-BR">
      <PersonalHead title="Sem conexão" app={app} />
      <body class="wallet signed-out" data-home={app.home}>
        <header class="top">
          <div class="wrap top-row">
            <Brand href={app.home} label={label} />
          </div>
        </header>
        <main id="conteudo">
          <div class="wrap form-column">
            <h1>Sem conexão</h1>
            <p class="lead">
              Não foi possível conectar à Semana. Confira a sua internet. Nada do que você fez se perdeu, e
              nada foi cobrado.
            </p>
            <p class="actions">
              <a class="button" href={app.home} data-retry>
                Tentar de novo
              </a>
            </p>
          </div>
        </main>
      </body>
    </html>
  ),
});

type AppDefinition = Pick<PersonalApp, 'home' | 'privatePages' | 'publicPages' | 'forms'> & {
  /** The accounts that sign in. The app has no routes if the server has no API key for them. */
  accountKind: 'customers' | 'members';
  layout: FunctionComponent<PersonalPageProps>;
  notFound: StatusMessage;
  /** Undefined if the pages themselves have the sign-in form. */
  signInPath?: string;
  /** For an app that phones can install: its manifest, icons, and the offline page, whose logo has this label. */
  install?: InstallableApp & AppHead & { label: string };
};

/** Creates an app that signs users in, from its kind of account, layout, pages and forms. */
export const createPersonalApp = ({
  accountKind,
  layout,
  notFound,
  signInPath,
  install,
  ...app
}: AppDefinition): App => ({
  pathPrefixes: [app.home],
  addRoutes(host) {
    const accounts = host[accountKind];
    if (!accounts) return undefined;
    if (install) addInstallRoutes(host, install, () => createOfflinePage(install, install.label));
    return addPersonalPages(host, {
      ...app,
      accounts,
      buildSignInPath: (pagePath) =>
        signInPath ? addRedirectParam(signInPath, pagePath === app.home ? undefined : pagePath) : pagePath,
      renderNotFoundPage: (context) => renderStatusPage(layout, context, notFound),
      renderFailurePage: (context, failure) =>
        renderStatusPage(
          layout,
          context,
          describeServerError(failure, 'Nada se perdeu e nada foi cobrado agora.'),
        ),
    });
  },
});
