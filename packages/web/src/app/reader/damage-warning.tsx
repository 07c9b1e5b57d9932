/** Says that the disk has changed part of the memory. */
export function DamageWarning({ warning }: { warning: string | null }) {
  return warning === null ? null : (
    <p role="alert" class="warning">
      {warning}
    </p>
  );
}
