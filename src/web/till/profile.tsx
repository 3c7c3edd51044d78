import { inReais, showPhone } from '../text/format.ts';
import { StackLink } from '../ui/buttons.tsx';
import { Line } from '../ui/parts.tsx';
import { ButtonForm } from '../ui/personal-parts.tsx';
import { ROLES } from './enter.tsx';
import { HOME, TillPage } from './layout.tsx';
import { isOwner, type MakeTillPage, mayReturn } from './visit.ts';

export const profilePage: MakeTillPage = async (visit) => {
  const { member, merchant, merchants } = visit.me;
  return (
    <TillPage title="Perfil" visit={visit} tab="perfil" heading={member.name}>
      <section class="panel" aria-label="Você nesta loja">
        <dl class="totals">
          <Line name="Loja" value={merchant.name} />
          <Line name="Função" value={ROLES[member.role]} />
          <Line name="Celular" value={showPhone(member.phone)} />
          {!isOwner(visit) && (
            <>
              <Line
                name="Limite por venda"
                value={member.max_amount === null ? 'sem limite' : inReais(member.max_amount)}
              />
              <Line name="Devoluções" value={mayReturn(visit) ? 'sim' : 'com quem responde pela loja'} />
            </>
          )}
        </dl>
        <div class="stack">
          {merchants.length > 1 && <StackLink to={`${HOME}/lojas`}>Trocar de loja</StackLink>}
          <ButtonForm visit={visit} action={`${HOME}/sair`} text="Sair deste aparelho" quiet wide />
        </div>
        <p class="hint">
          Perdeu o celular? Quem responde pela loja tira você da equipe, e o balcão fecha na hora em todos os
          aparelhos. Nunca pedimos os seus códigos: se alguém pedir, é golpe.
        </p>
      </section>
    </TillPage>
  );
};
