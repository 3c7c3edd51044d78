import { isProblem } from '#client';
import { again, ownForm } from '../server/form.ts';
import { permissionsPolicy } from '../server/security.ts';
import type { Form, MakePersonalPage } from '../server/visit.ts';
import { Submit } from '../ui/buttons.tsx';
import { Field } from '../ui/field.tsx';
import { fieldsOf, PostForm } from '../ui/personal-parts.tsx';
import { WalletPage } from './layout.tsx';

const PAY_PATH = '/carteira/pagar';

/** To an open offer, by the code on the shop's screen or its QR code. The only page that may use the camera. */
export const payPage: MakePersonalPage = async (visit) => ({
  headers: { 'permissions-policy': permissionsPolicy('self') },
  body: (
    <WalletPage
      title="Pagar uma compra"
      visit={visit}
      tab="ofertas"
      lead="Use o código que a loja mostra. Você ainda vê quanto custa antes de confirmar."
      crumbs={[{ href: '/carteira/ofertas', text: 'Ofertas' }]}
      wrap="door"
    >
      <PostForm visit={visit} action={PAY_PATH} class="panel">
        <input type="hidden" name="token" value="" />
        <Field
          {...fieldsOf(visit.flash)('codigo')}
          label="Código da loja"
          hint="8 letras e números."
          autocomplete="off"
          maxLength={20}
        />
        <Submit wide>Continuar</Submit>
        <button class="button quiet wide" type="button" data-scan hidden>
          Ler o QR code com a câmera
        </button>
        <video class="scan" playsInline muted hidden aria-label="Imagem da câmera" />
        <p class="hint" id="camera" role="status" />
      </PostForm>
    </WalletPage>
  ),
});

export const PAY_FORMS: Record<string, Form> = {
  [PAY_PATH]: ownForm(PAY_PATH, async (visit, sent) => {
    const [token, code] = [sent.text('token'), sent.text('codigo')];
    if (!token && !code) return again(visit, sent, { codigo: 'Escreva o código que está na tela da loja.' });
    try {
      const { id } = await visit.api.claimOffer({ body: token ? { token } : { code } });
      return { to: `/carteira/ofertas/${id}` };
    } catch (error) {
      if (!isProblem(error, 'not_found', 'validation_failed')) throw error;
      const text = 'Nenhuma compra tem este código. Confira na tela da loja: ele pode ter mudado.';
      return again(visit, sent, { codigo: text });
    }
  }),
};
