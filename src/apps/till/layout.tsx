import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Output } from '#client';
import { assets } from '../server/assets.ts';
import { type PageResult, wrapElement } from '../server/page.ts';
import { PageNotFound } from '../server/personal-routes.ts';
import { type PersonalPageHandler, type PersonalVisit, useVisit } from '../server/visit.ts';
import { Coin, People, Person, Receipt, Tag } from '../ui/icons.tsx';
import {
  type AppHead,
  PersonalPage,
  type PersonalPageProps,
  type Tab,
  Tabs,
} from '../ui/personal-layout.tsx';

type TabName = 'vender' | 'vendas' | 'dinheiro' | 'equipe' | 'perfil';

export const HOME = '/balcao';
export const SALES_PATH = `${HOME}/vendas`;

export const TILL_HEAD: AppHead = {
  home: HOME,
  basePath: HOME,
  styles: [assets.walletCss, assets.tillCss],
  script: assets.tillJs,
  workerScope: HOME,
};

const TABS: Array<Tab<TabName> & { isOwnerOnly?: true }> = [
  { tab: 'vender', href: HOME, text: 'Vender', icon: <Tag /> },
  { tab: 'vendas', href: SALES_PATH, text: 'Vendas', icon: <Receipt /> },
  { tab: 'dinheiro', href: `${HOME}/dinheiro`, text: 'Dinheiro', icon: <Coin />, isOwnerOnly: true },
  { tab: 'equipe', href: `${HOME}/equipe`, text: 'Equipe', icon: <People />, isOwnerOnly: true },
  { tab: 'perfil', href: `${HOME}/perfil`, text: 'Perfil', icon: <Person /> },
];

/** Error pages have no member: they show only the tabs that every member may open. */
const MemberContext = createContext<Me | undefined>(undefined);

export function TillPage(props: PersonalPageProps & { tab?: TabName; offerPath?: string | undefined }) {
  const me = useContext(MemberContext);
  const merchantName = me?.merchant.name ?? 'balcão';
  const brand = { href: HOME, label: `${merchantName}, nova venda`, text: merchantName };
  const tabs = TABS.filter(({ isOwnerOnly }) => !isOwnerOnly || me?.member.role === 'owner');
  return (
    <PersonalPage
      wrapperClass="till"
      {...props}
      app={TILL_HEAD}
      brand={brand}
      description="O balcão da Semana: vender em parcelas semanais, devolver e acompanhar o que a loja recebe."
      nav={useVisit().user && <Tabs label="Balcão" tabs={tabs} current={props.tab} />}
      banner={OFFLINE_BANNER}
    />
  );
}

const OFFLINE_BANNER = (
  <p class="offline" role="status" data-offline hidden>
    Sem conexão. Nada do que você digitou se perdeu: assim que a internet voltar, toque de novo.
  </p>
);

type MerchantMe = Output<'getMerchantMe'>;
/** The response to a signed-in member; `member` is null only for the API key of a merchant. */
type Me = MerchantMe & { member: NonNullable<MerchantMe['member']> };
export type TillVisit = PersonalVisit & { me: Me };
export type TillPageHandler = (visit: TillVisit) => Promise<PageResult>;

export const isOwner = ({ me }: Pick<TillVisit, 'me'>) => me.member.role === 'owner';
export const mayReturn = ({ me }: Pick<TillVisit, 'me'>) => isOwner({ me }) || me.member.may_return;

/** Reads the member and their permissions for every request, because an owner may have changed them. */
export const requireMember =
  (render: TillPageHandler): PersonalPageHandler =>
  async (visit) => {
    const me = (await visit.api.getMerchantMe()) as Me;
    return wrapElement(await render({ ...visit, me }), (element) => (
      <MemberContext.Provider value={me}>{element}</MemberContext.Provider>
    ));
  };

/** Restricts a page to owners. Other members get the not-found page. */
export const requireOwner = (render: TillPageHandler): PersonalPageHandler =>
  requireMember(async (visit) => {
    if (!isOwner(visit)) throw new PageNotFound();
    return render(visit);
  });

/** A line of a list. All of it links to `href`; `isStruck` crosses the amount out. */
export const ListLine = (props: {
  start?: ComponentChildren;
  href: string;
  title: ComponentChildren;
  titleNote?: string | false;
  note: ComponentChildren;
  amount?: ComponentChildren;
  amountNote?: ComponentChildren;
  isStruck?: boolean;
  end?: ComponentChildren;
}) => (
  <li>
    {props.start && <span class="line-start">{props.start}</span>}
    <span class="line-text">
      <a class="cover" href={props.href}>
        <b>{props.title}</b>
      </a>
      {props.titleNote}
      <small>{props.note}</small>
    </span>
    {props.amount && (
      <span class="line-amount">
        <b class={props.isStruck ? 'struck' : ''}>{props.amount}</b>
        <small>{props.amountNote}</small>
      </span>
    )}
    {props.end}
  </li>
);
