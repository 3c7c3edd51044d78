import { formatPhone, inReais } from '../text/format.ts';
import { MEMBER_ROLE_LABELS } from '../text/labels.ts';
import { StackLink } from '../ui/buttons.tsx';
import { Line } from '../ui/components.tsx';
import { ButtonForm } from '../ui/personal-components.tsx';
import { HOME, isOwner, mayReturn, TillPage, type TillPageHandler } from './layout.tsx';

export const profilePage: TillPageHandler = async (visit) => {
  const { member, merchant, merchants } = visit.me;
  return (
    <TillPage title="Perfil" tab="perfil" heading={member.name}>
      <section class="panel" aria-label="Você nesta loja">
        <dl class="totals">
          <Line name="Loja" value={merchant.name} />
          <Line name="Função" value={MEMBER_ROLE_LABELS[member.role]} />
          <Line name="Celular" value={formatPhone(member.phone)} />
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
          {merchants.length > 1 && <StackLink href={`${HOME}/lojas`}>Trocar de loja</StackLink>}
          <ButtonForm action={`${HOME}/sair`} text="Sair deste aparelho" quiet wide />
        </div>
        <p class="hint">
          Perdeu o celular? Quem responde pela loja tira você da equipe, e o balcão fecha na hora em todos os
          aparelhos. Nunca pedimos os seus códigos: se alguém pedir, é golpe.
        </p>
      </section>
    </TillPage>
  );
};
