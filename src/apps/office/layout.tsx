import type { ComponentChildren } from 'preact';
import { mayCall, type OperationId } from '#staff-client';
import type { PageFailure } from '../server/app.ts';
import { assets } from '../server/assets.ts';
import type { Page } from '../server/page.ts';
import { normalizeForSearch } from '../text/format.ts';
import { QuietLink, Submit } from '../ui/buttons.tsx';
import { ButtonForm, FlashMessages } from '../ui/forms.tsx';
import { Brand } from '../ui/icons.tsx';
import { ThemeHead, ThemeSwitch } from '../ui/theme.tsx';
import { type Action, ActionLinks } from './action.tsx';
import { ROLE_LABELS } from './labels.ts';
import type { OfficeVisit, StaffUser } from './visit.ts';

type MenuItem = { href: string; text: string; operation: OperationId; shortcutKey?: string };

/** Typing g and then `shortcutKey` opens the page. */
const MENU_SECTIONS: Readonly<Record<string, readonly MenuItem[]>> = {
  'Pessoas e compras': [
    { href: '/clientes', text: 'Clientes', operation: 'listCustomers', shortcutKey: 'c' },
    { href: '/compras', text: 'Compras', operation: 'listCheckoutsOfAll', shortcutKey: 'k' },
    { href: '/ofertas', text: 'Ofertas', operation: 'listOffersOfAll', shortcutKey: 'o' },
    { href: '/devolucoes', text: 'Devoluções', operation: 'listReturnsThatWaited' },
    { href: '/mensagens', text: 'Mensagens', operation: 'listStaffMessages' },
  ],
  'Dinheiro que entra': [
    { href: '/pagamentos', text: 'Pagamentos', operation: 'listPixPaymentItems', shortcutKey: 'p' },
    { href: '/cobrancas', text: 'Cobranças', operation: 'listPixCharges' },
    { href: '/debitos', text: 'Débitos automáticos', operation: 'listDebits' },
    { href: '/autorizacoes', text: 'Autorizações', operation: 'listAutopay' },
    { href: '/sem-dono', text: 'Sem dono', operation: 'listPixOrphans', shortcutKey: 's' },
    { href: '/estornos', text: 'Estornos', operation: 'listPixRefundItems', shortcutKey: 'e' },
    { href: '/divergencias', text: 'Divergências', operation: 'listPixDiscrepancies' },
  ],
  'Dinheiro que sai': [
    { href: '/repasses', text: 'Repasses', operation: 'listPayouts', shortcutKey: 'r' },
    { href: '/cashback', text: 'Cashback', operation: 'listCashbackOfAll' },
    { href: '/convites', text: 'Convites', operation: 'listReferrals' },
    { href: '/aprovacoes', text: 'Aprovações', operation: 'listApprovals', shortcutKey: 'a' },
  ],
  Crédito: [
    { href: '/decisoes', text: 'Decisões', operation: 'listCreditDecisions', shortcutKey: 'd' },
    { href: '/politica', text: 'Política', operation: 'getCreditPolicy' },
  ],
  Conteúdo: [
    { href: '/lojas', text: 'Lojas', operation: 'listMerchantForStaff', shortcutKey: 'l' },
    { href: '/categorias', text: 'Categorias', operation: 'listCategoryForStaff' },
    { href: '/contatos', text: 'Contatos', operation: 'listLeads', shortcutKey: 'n' },
    { href: '/posts', text: 'Posts', operation: 'listPostForStaff' },
    { href: '/perguntas', text: 'Perguntas', operation: 'listFaqEntryForStaff' },
    { href: '/imagens', text: 'Imagens', operation: 'listMedia' },
    { href: '/importar', text: 'Importar', operation: 'importContent' },
  ],
  Casa: [
    { href: '/relatorios', text: 'Relatórios', operation: 'getPortfolioReport', shortcutKey: 'm' },
    { href: '/equipe', text: 'Equipe', operation: 'listStaff' },
    { href: '/parceiros', text: 'Parceiros', operation: 'listPartners' },
    { href: '/chaves', text: 'Chaves', operation: 'listKeys' },
    { href: '/webhooks', text: 'Webhooks', operation: 'listWebhooks' },
    { href: '/trilha', text: 'Trilha', operation: 'listAuditTrail', shortcutKey: 't' },
    { href: '/tarefas', text: 'Tarefas', operation: 'listFailingJobs' },
    { href: '/servidores', text: 'Servidores', operation: 'listNodes' },
    { href: '/ajustes', text: 'Ajustes', operation: 'listSettings' },
  ],
};

const MENU_ITEMS = Object.values(MENU_SECTIONS).flat();

export const findMenuText = (operation: string): string | undefined =>
  MENU_ITEMS.find((item) => item.operation === operation)?.text;

const MIN_MENU_SEARCH_LENGTH = 2;

/** Finds the menu items that the user's role may open and that have a word starting with the text. */
export const searchMenu = (user: StaffUser, searchText: string): MenuItem[] =>
  normalizeForSearch(searchText).length < MIN_MENU_SEARCH_LENGTH
    ? []
    : MENU_ITEMS.filter(
        ({ text, operation }) =>
          mayCall(user.role, operation) &&
          normalizeForSearch(text)
            .split(' ')
            .some((word) => word.startsWith(normalizeForSearch(searchText))),
      );

const isWithin = (path: string, href: string) => path === href || path.startsWith(`${href}/`);

/** Finds the menu items whose pages contain this path. */
export const findParentItems = (path: string): MenuItem[] =>
  MENU_ITEMS.filter(({ href }) => isWithin(path, href));

function Nav({ user, path }: { user: StaffUser; path: string }) {
  return (
    <nav class="office-nav" aria-label="Principal">
      <a href="/" aria-current={path === '/' ? 'page' : undefined} data-go="h">
        Hoje
      </a>
      {Object.entries(MENU_SECTIONS).map(([title, items]) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul>
            {items
              .filter(({ operation }) => mayCall(user.role, operation))
              .map(({ href, text, shortcutKey }) => (
                <li key={href}>
                  <a
                    href={href}
                    aria-current={isWithin(path, href) ? 'page' : undefined}
                    data-go={shortcutKey}
                  >
                    {text}
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function Head({ title }: { title: string }) {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title} · Semana</title>
      <meta name="robots" content="noindex" />
      <link rel="icon" href="/icon.svg" type="image/svg+xml" />
      <link rel="preload" href={assets.font} as="font" type="font/woff2" crossOrigin="anonymous" />
      <link rel="stylesheet" href={assets.officeCss} />
      <ThemeHead />
      <script type="module" src={assets.officeJs} />
    </head>
  );
}

/** A title must not name a customer: browsers store it in their history. */
export function OfficeLayout(props: {
  title: string;
  visit: OfficeVisit;
  heading?: ComponentChildren;
  breadcrumbs?: ReadonlyArray<{ href: string; text: string }>;
  /** Links and buttons beside the heading. */
  actionLinks?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { title, visit, heading = title, breadcrumbs = [], actionLinks, children } = props;
  const { user, path, search } = visit;
  return (
    <html lang="pt-BR">
      <Head title={title} />
      <body class="office">
        <a class="skip" href="#conteudo">
          Ir para o conteúdo
        </a>
        <header class="office-top">
          <Brand href="/" label="Semana, retaguarda" />
          {user && (
            <form class="office-search" action="/busca">
              <label class="sr" for="busca">
                Buscar em tudo
              </label>
              <input
                id="busca"
                name="q"
                type="search"
                value={path === '/busca' ? (search.get('q') ?? '') : ''}
                placeholder="Nome, telefone, CPF, código…  ( / )"
                maxLength={100}
                autocomplete="off"
              />
              <Submit class="small">Buscar</Submit>
            </form>
          )}
          {user && (
            <div class="office-who">
              <a class="office-to-menu" href="#menu">
                Menu
              </a>
              <a href="/conta">
                {user.name} <span class="badge">{ROLE_LABELS[user.role]}</span>
              </a>
              <ButtonForm visit={visit} action="/sair" text="Sair" variant="link" />
            </div>
          )}
        </header>
        <div class={user ? 'office-frame' : 'office-frame alone'}>
          {user && (
            <div class="office-menu" id="menu">
              <Nav user={user} path={path} />
            </div>
          )}
          <main id="conteudo" tabIndex={-1}>
            {breadcrumbs.length > 0 && (
              <nav class="crumbs" aria-label="Onde você está">
                {breadcrumbs.map(({ href, text }) => (
                  <a key={href} href={href}>
                    {text}
                  </a>
                ))}
              </nav>
            )}
            <div class="office-title">
              <h1>{heading}</h1>
              {actionLinks && <div class="actions">{actionLinks}</div>}
            </div>
            <FlashMessages flash={visit.flash} />
            {children}
          </main>
        </div>
        <footer class="office-foot">
          <p>Horários de São Paulo.</p>
          <ThemeSwitch />
        </footer>
      </body>
    </html>
  );
}

export const Alert = ({ text }: { text: string }) => (
  <p class="alert" role="alert">
    {text}
  </p>
);

export const FormButtons = (props: {
  submitText: string;
  cancelPath: string;
  children?: ComponentChildren;
}) => (
  <div class="actions">
    <Submit>{props.submitText}</Submit>
    {props.children}
    <QuietLink href={props.cancelPath}>Cancelar</QuietLink>
  </div>
);

/** The page of one record: breadcrumbs to its list, and links to its actions. */
export const RecordLayout = (props: {
  title: string;
  heading?: string;
  visit: OfficeVisit;
  /** False if the state of the record allows no action. */
  actions?: ReadonlyArray<Action | false> | false;
  extraAction?: ComponentChildren;
  children: ComponentChildren;
}) => {
  const { actions, extraAction, ...layoutProps } = props;
  const actionLinks = actions && [
    <ActionLinks key="actions" visit={props.visit} actions={actions} />,
    extraAction,
  ];
  return (
    <OfficeLayout
      {...layoutProps}
      breadcrumbs={findParentItems(props.visit.path)}
      actionLinks={actionLinks}
    />
  );
};

const renderErrorPage = (visit: OfficeVisit, status: number, title: string, text: string): Page => ({
  status,
  body: (
    <OfficeLayout title={title} visit={visit}>
      <p>{text}</p>
      <p>
        <a href="/">Voltar para Hoje</a>
      </p>
    </OfficeLayout>
  ),
});

export const notFoundPage = (visit: OfficeVisit) =>
  renderErrorPage(visit, 404, 'Não encontrado', 'Não há nada neste endereço, ou já não existe.');

export const forbiddenPage = (visit: OfficeVisit, reason: string) =>
  renderErrorPage(visit, 403, 'Seu papel não permite', reason);

export const failurePage = (visit: OfficeVisit, { isUnavailable }: PageFailure) =>
  isUnavailable
    ? renderErrorPage(
        visit,
        503,
        'O serviço não responde',
        'Nada se perdeu. Espere um minuto e tente de novo.',
      )
    : renderErrorPage(visit, 500, 'Algo deu errado', 'A falha foi registrada. Tente de novo.');

/** Rendered for a URL that cannot be decoded. */
export const renderBadUrlPage = (): Page => ({
  status: 400,
  type: 'text/plain; charset=utf-8',
  body: 'Este endereço não existe.',
});
