/** Above a form: what is wrong with all of it, or that a field is marked. Where no field has the focus, this has it. */
export const FormAlert = ({ faults }: { faults: Record<string, string> }) => {
  const isAlone = Object.keys(faults).every((name) => name === 'form');
  return (
    <p class="alert" role="alert" tabIndex={-1} {...(isAlone && { autofocus: true })}>
      {faults.form ?? 'Confira o campo marcado abaixo.'}
    </p>
  );
};
