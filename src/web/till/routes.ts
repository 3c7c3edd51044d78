import type { Form, MakePersonalPage } from '../server/visit.ts';
import { ACCOUNT_FORMS, accountCodePage, accountPage } from './account.tsx';
import { codePage, ENTER_FORMS, shopsPage, signInPage } from './enter.tsx';
import { moneyPage } from './money.tsx';
import { OFFER_FORMS, offerPage } from './offer.tsx';
import { profilePage } from './profile.tsx';
import { RETURN_FORMS, returnPage } from './return.tsx';
import { salePage, slipPage } from './sale.tsx';
import { salesPage } from './sales.tsx';
import { SELL_FORMS, sellPage, weeksPage } from './sell.tsx';
import { payoutPage, payoutsPage, statementFile, statementPage } from './statement.tsx';
import { invitePage, memberPage, TEAM_FORMS, teamPage } from './team.tsx';
import { own, owners } from './visit.ts';

/** For who is signed in. */
export const PAGES: Readonly<Record<string, MakePersonalPage>> = {
  '/balcao': own(sellPage),
  '/balcao/lojas': own(shopsPage),
  '/balcao/venda': own(weeksPage),
  '/balcao/ofertas/:id': own(offerPage),
  '/balcao/vendas': own(salesPage),
  '/balcao/vendas/:hash': own(salePage),
  '/balcao/vendas/:hash/devolver': own(returnPage),
  '/balcao/vendas/:hash/comprovante': own(slipPage),
  '/balcao/dinheiro': owners(moneyPage),
  '/balcao/dinheiro/extrato': owners(statementPage),
  '/balcao/dinheiro/extrato.csv': owners(statementFile),
  '/balcao/dinheiro/repasses': owners(payoutsPage),
  '/balcao/dinheiro/repasses/:id': owners(payoutPage),
  '/balcao/dinheiro/conta': owners(accountPage),
  '/balcao/dinheiro/conta/codigo': owners(accountCodePage),
  '/balcao/equipe': owners(teamPage),
  '/balcao/equipe/convidar': owners(invitePage),
  '/balcao/equipe/:id': owners(memberPage),
  '/balcao/perfil': own(profilePage),
};

export const OPEN_PAGES: Readonly<Record<string, MakePersonalPage>> = {
  '/balcao/entrar': signInPage,
  '/balcao/entrar/codigo': codePage,
};

export const FORMS: Readonly<Record<string, Form>> = {
  ...ENTER_FORMS,
  ...SELL_FORMS,
  ...OFFER_FORMS,
  ...RETURN_FORMS,
  ...TEAM_FORMS,
  ...ACCOUNT_FORMS,
};
