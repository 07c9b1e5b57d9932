import Type, { type Static } from 'typebox';

/** An image that a capture or an export has: WebP, PNG, JPEG or ICO. */
export const Image = Type.Object({
  type: Type.String({ description: 'Its media type. The bytes decide.' }),
  data: Type.String({ description: 'Its bytes in Base64.' }),
});

/** The pictures of a memory in summaries. */
export const pictureFields = {
  pictureHash: Type.Optional(
    Type.String({ description: 'The hash of its picture, for the parameter v of its address. Missing without one.' }),
  ),
  faviconHash: Type.Optional(Type.String({ description: "The same for its site's favicon." })),
};

export const PictureParameters = Type.Object({
  v: Type.Optional(Type.String({ maxLength: 64, description: 'The hash. With it, browsers keep the picture.' })),
});

export type Image = Static<typeof Image>;
