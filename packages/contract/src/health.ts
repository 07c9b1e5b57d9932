import Type from 'typebox';

export const HealthAnswer = Type.Object({ status: Type.Literal('ok'), version: Type.String() });
