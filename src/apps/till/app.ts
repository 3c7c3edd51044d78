import { createPersonalApp } from '../ui/personal-app.tsx';
import { ACCOUNT_FORMS, accountCodePage, accountPage } from './account.tsx';
import { HOME, requireMember, requireOwner, TILL_HEAD, TillPage } from './layout.tsx';
import { moneyPage, payoutPage, payoutsPage, statementFile, statementPage } from './money.tsx';
import { RETURN_FORMS, returnPage, salePage, slipPage } from './sale.tsx';
import { salesPage } from './sales.tsx';
import { OFFER_FORMS, offerPage, SELL_FORMS, sellPage, weeksPage } from './sell.tsx';
import { codePage, profilePage, SIGN_IN_FORMS, shopsPage, signInPage } from './sign-in.tsx';
import { invitePage, memberPage, TEAM_FORMS, teamPage } from './team.tsx';

export const tillApp = createPersonalApp({
  accountKind: 'members',
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
    '/balcao': requireMember(sellPage),
    '/balcao/lojas': requireMember(shopsPage),
    '/balcao/venda': requireMember(weeksPage),
    '/balcao/ofertas/:id': requireMember(offerPage),
    '/balcao/vendas': requireMember(salesPage),
    '/balcao/vendas/:hash': requireMember(salePage),
    '/balcao/vendas/:hash/devolver': requireMember(returnPage),
    '/balcao/vendas/:hash/comprovante': requireMember(slipPage),
    '/balcao/dinheiro': requireOwner(moneyPage),
    '/balcao/dinheiro/extrato': requireOwner(statementPage),
    '/balcao/dinheiro/extrato.csv': requireOwner(statementFile),
    '/balcao/dinheiro/repasses': requireOwner(payoutsPage),
    '/balcao/dinheiro/repasses/:id': requireOwner(payoutPage),
    '/balcao/dinheiro/conta': requireOwner(accountPage),
    '/balcao/dinheiro/conta/codigo': requireOwner(accountCodePage),
    '/balcao/equipe': requireOwner(teamPage),
    '/balcao/equipe/convidar': requireOwner(invitePage),
    '/balcao/equipe/:id': requireOwner(memberPage),
    '/balcao/perfil': requireMember(profilePage),
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
