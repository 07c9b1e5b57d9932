/** A bookmark with a return arrow. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 18 18" aria-hidden="true">
      <path d="M4 1.5h10v15l-5-3.6-5 3.6z" fill="currentColor" />
      <path
        d="M6.6 6.8a2.6 2.6 0 1 1 .7 2.5M6.3 4.6v2.4h2.4"
        fill="none"
        stroke="var(--back)"
        stroke-width="1.3"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
