import { displayed, markMatches } from '@recollect/contract/text';

interface MarkedProps {
  text: string;
  query: string;
}

/** A text in which the words that match a query are marked. */
export function Marked({ text, query }: MarkedProps) {
  if (query === '') return <>{displayed(text)}</>;
  return (
    <>
      {markMatches(displayed(text), query).map((piece, index) =>
        piece.isMatch ? <mark key={index}>{piece.text}</mark> : piece.text,
      )}
    </>
  );
}
