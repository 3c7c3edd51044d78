import type { ComponentChildren } from 'preact';
import { assets } from '../server/assets.ts';
import { plain } from '../text/format.ts';
import { Mark } from '../ui/icons.tsx';
import { PostForm, Said } from '../ui/personal-parts.tsx';
import { ThemeHead, ThemeSwitch } from '../ui/theme.tsx';
import { mayCall, type OperationId } from './staff/client.ts';
import type { OfficeVisit, Who } from './visit.ts';
import { ROLE_NAMES } from './words.ts';

type Place = { href: string; text: string; call: OperationId; key?: string };

/** `key`: after g, leads there. */
const SECTIONS: Readonly<Record<string, readonly Place[]>> = {
  'Pessoas e compras': [
    { href: '/clientes', text: 'Clientes', call: 'listCustomers', key: 'c' },
    { href: '/compras', text: 'Compras', call: 'listCheckoutsOfAll', key: 'k' },
    { href: '/ofertas', text: 'Ofertas', call: 'listOffersOfAll', key: 'o' },
    { href: '/devolucoes', text: 'Devoluções', call: 'listReturnsThatWaited' },
    { href: '/mensagens', text: 'Mensagens', call: 'listStaffMessages' },
  ],
  'Dinheiro que entra': [
    { href: '/pagamentos', text: 'Pagamentos', call: 'listPixPaymentItems', key: 'p' },
    { href: '/cobrancas', text: 'Cobranças', call: 'listPixCharges' },
    { href: '/debitos', text: 'Débitos automáticos', call: 'listDebits' },
    { href: '/autorizacoes', text: 'Autorizações', call: 'listAutopay' },
    { href: '/sem-dono', text: 'Sem dono', call: 'listPixOrphans', key: 's' },
    { href: '/estornos', text: 'Estornos', call: 'listPixRefundItems', key: 'e' },
    { href: '/divergencias', text: 'Divergências', call: 'listPixDiscrepancies' },
  ],
  'Dinheiro que sai': [
    { href: '/repasses', text: 'Repasses', call: 'listPayouts', key: 'r' },
    { href: '/cashback', text: 'Cashback', call: 'listCashbackOfAll' },
    { href: '/aprovacoes', text: 'Aprovações', call: 'listApprovals', key: 'a' },
  ],
  Crédito: [
    { href: '/decisoes', text: 'Decisões', call: 'listCreditDecisions', key: 'd' },
    { href: '/politica', text: 'Política', call: 'getCreditPolicy' },
  ],
  Conteúdo: [
    { href: '/lojas', text: 'Lojas', call: 'listMerchantForStaff', key: 'l' },
    { href: '/categorias', text: 'Categorias', call: 'listCategoryForStaff' },
    { href: '/contatos', text: 'Contatos', call: 'listLeads', key: 'n' },
    { href: '/posts', text: 'Posts', call: 'listPostForStaff' },
    { href: '/perguntas', text: 'Perguntas', call: 'listFaqEntryForStaff' },
    { href: '/imagens', text: 'Imagens', call: 'listMedia' },
    { href: '/importar', text: 'Importar', call: 'importContent' },
  ],
  Casa: [
    { href: '/relatorios', text: 'Relatórios', call: 'getPortfolioReport', key: 'm' },
    { href: '/equipe', text: 'Equipe', call: 'listStaff' },
    { href: '/parceiros', text: 'Parceiros', call: 'listPartners' },
    { href: '/chaves', text: 'Chaves', call: 'listKeys' },
    { href: '/webhooks', text: 'Webhooks', call: 'listWebhooks' },
    { href: '/trilha', text: 'Trilha', call: 'listAuditTrail', key: 't' },
    { href: '/tarefas', text: 'Tarefas', call: 'listFailingJobs' },
    { href: '/servidores', text: 'Servidores', call: 'listNodes' },
    { href: '/ajustes', text: 'Ajustes', call: 'listSettings' },
  ],
};

const PLACES = Object.values(SECTIONS).flat();

/** What the menu calls the page of a list. */
export const placeOf = (call: string): string | undefined =>
  PLACES.find((place) => place.call === call)?.text;

/** Pages of the menu with a word that begins so, of those that this role may open. */
export const placesCalled = (who: Who, q: string): Place[] =>
  plain(q).length < 2
    ? []
    : PLACES.filter(
        ({ text, call }) =>
          mayCall(who.role, call) &&
          plain(text)
            .split(' ')
            .some((word) => word.startsWith(plain(q))),
      );

const isIn = (path: string, href: string) => path === href || path.startsWith(`${href}/`);

/** The pages of the menu that this one belongs to. */
export const placesAround = (path: string): Place[] => PLACES.filter(({ href }) => isIn(path, href));

function Nav({ who, path }: { who: Who; path: string }) {
  return (
    <nav class="office-nav" aria-label="Principal">
      <a href="/" aria-current={path === '/' ? 'page' : undefined} data-go="h">
        Hoje
      </a>
      {Object.entries(SECTIONS).map(([title, places]) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul>
            {places
              .filter(({ call }) => mayCall(who.role, call))
              .map(({ href, text, key }) => (
                <li key={href}>
                  <a href={href} aria-current={isIn(path, href) ? 'page' : undefined} data-go={key}>
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

function Head({ title, next }: { title: string; next?: string | undefined }) {
  return (
    <head>
      <meta charset="utf-8" />
      {next && <meta http-equiv="refresh" content={`0; url=${next}`} />}
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title} · Semana</title>
      <meta name="robots" content="noindex" />
      <link rel="icon" href="/icon.svg" type="image/svg+xml" />
      <link rel="preload" href={assets.font} as="font" type="font/woff2" crossOrigin="anonymous" />
      <link rel="stylesheet" href={assets.officeCss} />
      <ThemeHead />
      <script type="module" src={assets.office} />
    </head>
  );
}

/** Around every page of who is signed in. Titles name no person: they stay in histories. */
export function OfficeLayout(props: {
  title: string;
  visit: OfficeVisit;
  /** What the page is about, shown as its heading. */
  heading?: ComponentChildren;
  crumbs?: ReadonlyArray<{ href: string; text: string }>;
  actions?: ComponentChildren;
  /** The page goes on there by itself, at once. */
  next?: string | undefined;
  children: ComponentChildren;
}) {
  const { title, visit, heading = title, crumbs = [], actions, children } = props;
  const { who, path, search } = visit;
  return (
    <html lang="pt-BR">
      <Head title={title} next={props.next} />
      <body class="office">
        <a class="skip" href="#conteudo">
          Ir para o conteúdo
        </a>
        <header class="office-top">
          <a class="brand" href="/" aria-label="Semana, retaguarda">
            <Mark />
            <span>semana</span>
          </a>
          {who && (
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
              <button class="button small" type="submit">
                Buscar
              </button>
            </form>
          )}
          {who && (
            <div class="office-who">
              <a class="office-to-menu" href="#menu">
                Menu
              </a>
              <a href="/conta">
                {who.name} <span class="badge">{ROLE_NAMES[who.role]}</span>
              </a>
              <PostForm visit={visit} action="/sair">
                <button class="link" type="submit">
                  Sair
                </button>
              </PostForm>
            </div>
          )}
        </header>
        <div class={who ? 'office-frame' : 'office-frame alone'}>
          {who && (
            <div class="office-menu" id="menu">
              <Nav who={who} path={path} />
            </div>
          )}
          <main id="conteudo" tabIndex={-1}>
            {crumbs.length > 0 && (
              <nav class="crumbs" aria-label="Onde você está">
                {crumbs.map(({ href, text }) => (
                  <a key={href} href={href}>
                    {text}
                  </a>
                ))}
              </nav>
            )}
            <div class="office-title">
              <h1>{heading}</h1>
              {actions && <div class="actions">{actions}</div>}
            </div>
            <Said flash={visit.flash} />
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
