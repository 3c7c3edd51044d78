import { createPersonalApp } from '../ui/personal-app.tsx';
import { ACCOUNT_FORMS, accountCodePage, accountPage } from './account.tsx';
import { forMembers, forOwners, HOME, TILL_HEAD, TillPage } from './layout.tsx';
import { moneyPage, payoutPage, payoutsPage, statementFile, statementPage } from './money.tsx';
import { RETURN_FORMS, returnPage, salePage, slipPage } from './sale.tsx';
import { salesPage } from './sales.tsx';
import { OFFER_FORMS, offerPage, SELL_FORMS, sellPage, weeksPage } from './sell.tsx';
import { codePage, profilePage, SIGN_IN_FORMS, shopsPage, signInPage } from './sign-in.tsx';
import { invitePage, memberPage, TEAM_FORMS, teamPage } from './team.tsx';

/** The till of a merchant, for its members, on a phone. */
export const tillApp = createPersonalApp({
  people: 'members',
  home: HOME,
  signInPath: `${HOME}/entrar`,
  layout: TillPage,
  notFound: {
    title: 'Página não encontrada',
    code: '404',
    heading: 'Não encontramos esta página.',
    lead: 'Ela não existe, não é desta loja, ou é só para quem responde pela loja.',
    links: [
      { href: '/balcao', text: 'Nova venda' },
      { href: '/balcao/vendas', text: 'Vendas de hoje' },
    ],
  },
  install: {
    ...TILL_HEAD,
    name: 'Semana Balcão',
    shortName: 'Balcão',
    description: 'Vender em parcelas semanais, devolver e acompanhar o que a loja recebe.',
    scope: HOME,
    colors: { background: '#ffc94d', bar: '#0c2b1f', paymentDay: '#0a7048' },
    label: 'Balcão da Semana',
  },
  privatePages: {
    '/balcao': forMembers(sellPage),
    '/balcao/lojas': forMembers(shopsPage),
    '/balcao/venda': forMembers(weeksPage),
    '/balcao/ofertas/:id': forMembers(offerPage),
    '/balcao/vendas': forMembers(salesPage),
    '/balcao/vendas/:hash': forMembers(salePage),
    '/balcao/vendas/:hash/devolver': forMembers(returnPage),
    '/balcao/vendas/:hash/comprovante': forMembers(slipPage),
    '/balcao/dinheiro': forOwners(moneyPage),
    '/balcao/dinheiro/extrato': forOwners(statementPage),
    '/balcao/dinheiro/extrato.csv': forOwners(statementFile),
    '/balcao/dinheiro/repasses': forOwners(payoutsPage),
    '/balcao/dinheiro/repasses/:id': forOwners(payoutPage),
    '/balcao/dinheiro/conta': forOwners(accountPage),
    '/balcao/dinheiro/conta/codigo': forOwners(accountCodePage),
    '/balcao/equipe': forOwners(teamPage),
    '/balcao/equipe/convidar': forOwners(invitePage),
    '/balcao/equipe/:id': forOwners(memberPage),
    '/balcao/perfil': forMembers(profilePage),
  },
  publicPages: {
    '/balcao/entrar': signInPage,
    '/balcao/entrar/codigo': codePage,
  },
  forms: {
    ...SIGN_IN_FORMS,
    ...SELL_FORMS,
    ...OFFER_FORMS,
    ...RETURN_FORMS,
    ...TEAM_FORMS,
    ...ACCOUNT_FORMS,
  },
});
