"""Word_Break and Sentence_Break of all characters, for UAX 29.

Written by `tools/unicode_tables.py`; not to be edited by hand.

A run of characters of one class is the class's letter, and in base 36 the distance to
the run before it and its length.
"""

from __future__ import annotations

__all__ = ["SENTENCE_BREAK", "WORD_BREAK"]

WORD_BREAK = """
na,1 l0,2 r0,1 wi,1 Q1,1 q4,1 u4,1 b1,1 N1,a m0,1 u0,1 A5,q x4,1 A1,q la,1 Pz,1 A0,1 f2,1 P0,1 A6,1
m1,1 A0,1 A1,1 A5,n A1,v A1,dc A6,y e0,34 A0,5 A1,2 A2,4 u0,1 A0,1 A6,1 m0,1 A0,3 A1,1 A1,k A1,2b
A1,3v e1,7 A0,4m A1,12 A1,5 A1,1 m0,1 A0,15 u0,1 A0,3 e4,19 e1,1 e1,2 e1,2 e1,3 H6,r H4,4 A0,1 m0,1
Nb,6 u6,2 e2,b f1,1 A3,17 e0,l N0,a N1,1 u0,1 A1,2 e0,1 A0,2r A1,1 e0,7 N0,1 e1,6 A0,2 e0,2 e1,4
A0,2 N0,a A0,3 A2,1 Af,2 e0,1 A0,u e0,r A2,2h e0,b A0,1 Ne,a A0,x e0,9 A0,2 u2,1 A1,1 e2,1 A2,m e0,4
A0,1 e0,9 A0,1 e0,3 A0,1 e0,5 Ai,p e0,3 A4,b A5,o A1,7 N0,2 e5,9 A0,16 e0,o N0,1 e0,x A0,1i e0,3
A0,1 e0,i A0,1 e0,7 A0,a e0,2 N2,a A1,g e0,3 A1,8 A2,2 A2,m A1,7 A1,1 A3,4 e2,1 A0,1 e0,7 e2,2 e2,3
A0,1 e8,1 A4,2 A1,3 e0,2 N2,a A0,2 Aa,1 e1,1 e2,3 A1,6 A4,2 A2,m A1,7 A1,2 A1,2 A1,2 e2,1 e1,5 e4,2
e2,3 e3,1 A7,4 A1,1 N7,a e0,2 A0,3 e0,1 eb,3 A1,9 A1,3 A1,m A1,7 A1,2 A1,5 e2,1 A0,1 e0,8 e1,3 e1,3
A2,1 Af,2 e0,2 N2,a A9,1 e0,6 e1,3 A1,8 A2,2 A2,m A1,7 A1,2 A1,5 e2,1 A0,1 e0,7 e2,2 e2,3 e5,5 A4,2
A1,3 e0,2 N2,a A1,1 eg,1 A0,1 A1,6 A3,3 A1,4 A3,2 A1,1 A1,2 A3,2 A3,3 A3,c e4,5 e3,3 e1,4 A2,1 e6,1
Ne,a eg,5 A0,8 A1,3 A1,n A1,g e2,1 A0,1 e0,7 e1,3 e1,4 e7,2 A1,3 A1,2 A2,2 e0,2 N2,a Ag,1 e0,3 A1,8
A1,3 A1,n A1,a A1,5 e2,1 A0,1 e0,7 e1,3 e1,4 e7,2 A5,3 A1,2 e0,2 N2,a A1,2 e0,1 ec,4 A0,9 A1,3 A1,15
e0,2 A0,1 e0,7 e1,3 e1,4 A0,1 A5,3 e0,1 A7,3 e0,2 N2,a Aa,6 e1,3 A1,i A3,o A1,9 A1,1 A2,7 e3,1 e4,6
e1,1 e1,8 N6,a e2,2 e1p,1 e2,7 ec,8 N1,a e2f,1 e2,9 eb,7 N1,a A12,1 en,2 N6,a eb,1 e1,1 e1,1 e4,2
A0,8 A1,10 e4,k e1,2 A0,5 e0,b e1,10 e9,1 e2s,k N1,a ec,4 e4,3 e1,3 e2,7 e3,4 ed,c e1,1 N0,a e0,4
A2,12 A1,1 A5,1 A2,17 A1,99 A1,4 A2,7 A1,1 A1,4 A2,15 A1,4 A2,x A1,4 A2,7 A1,1 A1,4 A2,f A1,1l A1,4
A2,1v e2,3 Aw,g Ag,2e A2,6 A3,h8 A2,h w0,1 A0,q A5,23 A3,b A7,i e0,4 A9,j e0,3 Ab,i e0,2 Ac,d A1,3
e1,2 e1s,w e9,1 N2,a ex,3 f0,1 e0,1 N0,a A6,2h A7,5 e0,2 A0,y e0,1 A0,1 A5,1y Aa,v e1,c e4,c Na,a
N3k,b A11,n e0,5 e1l,a e1,t e2,1 N0,a N6,a em,1t ef,5 A0,1b e0,h A0,8 N3,a eh,9 ec,3 A0,u e0,d A0,2
N0,a A0,18 e0,e Ac,10 e0,k N8,a A3,3 N0,a A0,10 A2,b A5,17 A2,3 eg,3 e1,l A0,4 e0,1 A0,6 e0,1 A0,2
e0,3 A0,1 A5,5c e0,1s A0,7q A2,6 A2,12 A2,6 A2,8 A1,1 A1,1 A1,1 A1,v A2,1h A1,7 A1,1 A3,3 A1,7 A3,4
A2,6 A4,d A5,3 A1,7 w3,7 w1,3 e1,1 z0,1 f0,2 b8,2 ba,1 m2,1 l0,2 f0,5 x0,1 Pc,1 x2,2 u3,1 P4,1 xa,1
wa,1 f0,5 f1,a A1,1 Ad,1 Af,h e1c,x Ah,1 A4,1 A2,a A1,1 A3,5 P4,1 A1,1 A1,1 A1,1 A1,4 A1,a p0,1 A2,4
A5,5 A4,1 Ah,15 Pb,6 Pf,2 Pa7,2 Pc,1 P4m,1 Pp,b P4,3 A57,c p0,1 A0,13 P5c,2 Pa,1 P9,1 P1m,4 P1,5
P9,1 P2,1 P2,2 P2,1 P4,1 P2,1 P1,2 P2,1 P3,1 P3,2 P8,3 P5,1 P1,1 P5,c Pb,2 P2,1 P1,2 P1,1 Pi,1 P2,2
Pi,6 P1,1 P1,2 P3,2 P5,1 P2,2 P4,2 Pb,2 P5,2 P2,1 P5,2 P1,1 P1,2 Pk,2 P5,6 P1,4 P2,1 P4,1 P2,1 P2,6
P1,1 P2,1 P1,1 P1,1 P6,1 P3,1 P6,1 Pa,2 Pf,1 P2,1 P4,1 P1,1 P4,3 P1,1 Pb,2 P1c,3 P9,1 Pe,1 Pe,1
Pac,2 Pcv,3 Pj,2 P1f,1 P4,1 A4q,6d A6,4 e0,3 A0,2 Ac,12 A1,1 A5,1 A2,1k A7,1 ef,1 A0,n A9,7 A1,7
A1,7 A1,7 A1,7 A1,7 A1,7 A1,7 e1,w A1b,1 wcw,1 A4,1 e10,6 P0,1 K0,5 A5,2 P0,1 e2j,2 K0,2 K3,2j K1,4
A5,17 A1,2m Ah,w K1c,g P47,1 P1,1 K1i,1b K1,2g Algo,wd A1v,1a A2,7h A3,g N0,a A0,2 Ak,1b e0,4 e1,a
A1,v e0,2 A0,28 e0,2 Am,5y A4,1 Ae,h e0,1 A0,3 e0,1 A0,4 e0,1 A0,n e0,5 e4,1 Aj,1g ec,2 A0,1e e0,i
Na,a e6,i A0,6 A3,1 A1,2 e0,1 N0,a A0,s e0,8 A2,n e0,d Ac,t e3,4 A0,1b e0,e Ae,1 N0,a eb,1 Na,a
A6,15 e0,e A9,3 e0,1 A0,8 e0,2 N2,a ex,3 e1e,1 e1,3 e2,2 e5,2 e1,1 Au,b e0,5 A2,3 e0,2 Aa,6 A2,6
A2,6 A9,7 A1,7 A1,1m A2,2 A2,37 e0,8 e1,2 N2,a A6,8mc Ac,n A4,1d A6x0,7 Ac,5 H5,1 e0,1 H0,a H1,d
H1,5 H1,1 H1,2 H1,2 H1,a A0,2q Ax,a3 Ai,1s A2,1i A14,c e4,g m3,1 ec,g x3,2 xo,3 u0,1 b1,1 u1,1 m0,1
Aq,5 A1,3r f2,1 b7,1 u4,1 b1,1 N1,a m0,1 u0,1 A5,q x4,1 A1,q Kb,1k e0,2 A0,v A3,6 A2,6 A2,6 A2,3
fs,3 A4,c A1,q A1,j A1,2 A1,f A2,e Ay,3f A1x,1h e3s,1 A3m,t A3,1d ef,1 Av,w Ad,u A5,12 e0,5 A5,u
A2,10 A4,8 A1,5 A16,4e N2,a A6,10 A4,10 A4,14 A8,1g Ac,b A1,f A1,7 A1,2 A1,b A1,f A1,7 A1,2 A3,1g
Ac,8n A9,m Aa,8 Ao,6 A1,16 A1,e A1s,6 A2,1 A1,18 A1,2 A3,1 A2,n Aa,n A9,v A1t,j A1,2 Aa,m Aa,q A6,q
A12,1k A6,2 A1s,1 e0,3 e1,2 e5,4 A0,4 A1,3 A1,t e2,3 e4,1 Aw,t A3,t Az,8 A1,s e0,2 Ap,1i Aa,m Aa,j
Ad,i A32,21 A1j,1f Ad,1f Ad,10 e0,4 N8,a N6,a A0,s e3,5 A1,n A6y,16 e1,2 A3,2 Ag,6 e3,5 A9,m e1,g
A0,t Aa,1 A8,m e0,b Av,i e0,4 A16,l Ar,n e9,3 A0,1h e0,f Nv,a e0,1 A0,2 e0,2 A0,1 e9,4 A0,19 e0,b
N2,1 e4,1 Na,1 A2,p N7,a e6,3 A0,10 e0,e N1,a A4,1 e0,2 A0,1 A8,z e0,1 A2,1 e9,3 A0,1c e0,e A0,4
e4,4 e1,2 N0,a A0,1 A1,1 Az,i A1,p e0,c e6,1 A0,2 e0,1 A1q,7 A1,1 A1,4 A1,f A1,a A7,1b e0,c N5,a
e6,4 A1,8 A2,2 A2,m A1,7 A1,2 A1,5 e1,2 A0,1 e0,7 e2,2 e2,3 A2,1 e6,1 A5,5 e0,2 e2,7 e3,5 Ab,a A1,1
A2,1 A1,12 A1,1 e0,9 e1,1 e2,1 e1,4 e1,5 A0,1 e0,1 A0,1 ed,2 At,1h e0,i A0,4 N5,a e4,1 A0,3 Au,1c
e0,k A0,2 A1,1 N8,a A4m,1b e0,7 e2,9 An,4 e0,2 Ay,1c e0,h A3,1 Nb,a A12,17 e0,d A0,1 N7,a N6,k e1l,f
N4,a A5i,18 e0,f A2t,1s N0,a Al,8 A2,1 A2,8 A1,2 A1,o e0,6 e1,2 e2,4 A0,1 e0,1 A0,1 e0,2 Nc,a A1y,8
A2,13 e0,7 e2,7 A0,1 A1,1 e0,1 Ar,1 e0,a A0,14 e0,7 A0,1 e0,4 e8,1 A8,1 e0,b A0,1a e0,g A3,1 Ai,21
Ah,1 e2d,8 A2g,x Nf,a A6,9 A1,11 e0,8 e1,8 A0,1 Nf,a Ao,u e2,m e1,e A21,7 A1,2 A1,12 e0,6 e3,1 e1,2
e1,7 A0,1 e0,1 N8,a A6,6 A1,2 A1,w e0,5 e1,2 e1,5 A0,1 N7,a A6,18 N4,a e6,1 A0,1 A6m,j e0,4 e9,2
A0,1 e0,1 A0,d A1,y e0,7 e3,5 Nd,a e0,1 A2d,1 A27,pm A2u,34 A5,5r Ac,8n A1s9,2p Af,ts f0,g e0,1 A0,6
e0,f Aa,32z A5,g7 A5a1,u e0,i N0,a A1c6,ft A7,v N1,a A6,27 N1,a A6,u e2,5 Ab,1c e0,7 A9,4 Nc,a A9,l
A5,j Ac0,19 N3,a A5i,1s Aw,p A2,p A18,23 e4,1 A0,1 e0,1j e7,4 A0,d A1s,2 A1,1 e0,1 eb,2 Kcn2,4 K1,7
K1,2 K1,1 K7z,3 K1,5 K18,1 Ke,5 A23b,2z A5,d A3,9 A7,a e3,2 f1,4 N37w,a eee,1a e2,n edc,2 e1o,5 e3,6
f0,8 e0,8 e2,7 eu,4 e44,3 eb,3 e8,2 e2,1 ew,2 Aam,2d A1,1z A1,2 A2,1 A2,2 A2,4 A1,c A1,1 A1,7 A1,1t
A1,4 A2,8 A1,7 A1,s A1,4 A1,5 A1,1 A3,7 A1,9h A1,p A1,p A1,v A1,p A1,v A1,p A1,v A1,p A1,v A1,p A1,8
N2,1e ee8,1j e4,1e e8,1 ee,1 em,5 e1,f Auo,3m Ae,7 A1i,1f e0,7 e1,h e2,7 e1,2 e1,5 A5,1q ex,1 A34,19
e3,7 A0,7 N2,a A4,1 A8x,u e0,1 Ah,18 e0,4 N0,a Ad2,s e0,4 N0,a A5y,u e0,2 A0,1 N0,a A5h,v A1,3 e0,1
A0,2 e0,1 A0,7 e0,2 A0,5 e0,1 A8,2 A68,7 A1,4 A1,2 A1,f A1,5h eb,7 A15,1w e0,7 A0,1 N4,a Ax2,4 A1,r
A1,2 A1,1 A2,1 A1,a A1,4 A1,1 A1,1 A6,1 A4,1 A1,1 A1,1 A1,3 A1,2 A1,1 A2,1 A1,1 A1,1 A1,1 A1,1 A1,2
A1,1 A2,4 A1,7 A1,4 A1,4 A1,1 A1,a A1,h A5,3 A1,5 A1,h P94,1 P13,4 P2s,c Pf,2 Pf,1 Pe,2 P11,a A1c,q
A6,q p6,2 A0,c p0,2 A0,a P4,1 P2,a Pk,1j I0,q P1,f Pa,1 Pk,1 P2,9 P1,4 P9,n P6,58 P2,34 P2,2 P1,3
P2,2b P2,3 P1,4 e0,5 P0,72 P1,1r Pb,6 P1,o P7,2 P2,8 Pc,1 P2,4 P2,1 P4,2 Pd,2 P2,1 P8,2 P9,1 P5,3
Pc,3 P8,3 P2,1 P1,1 P4,1 P6,1 P3,1 P6,2e P1c,1y P5,8 P2,h P3,1 P1,6 P2,d P64,l Pr,4 P1k,8 Pa,6 P14,8
Pu,2 Pc,4 P2,e P9,13 Pc,1b P1,a P1,55 P2g,8 Pe,42 N6o,a P6,se fgutf,1 eu,2o e3k,6o
"""

SENTENCE_BREAK = """
s9,1 n0,1 s0,2 r0,1 si,1 T0,1 C0,1 C4,3 c2,2 A0,1 N1,a c0,2 T3,1 U1,q C0,1 C1,1 L3,q C0,1 C1,1 l7,1
sq,1 L9,1 C0,1 f1,1 L7,1 L4,1 C0,1 U4,n U1,7 L0,o L1,8 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,2 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,2 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,2 L0,1 U0,1 L0,1 U0,1 L0,3 U0,2 L0,1 U0,1 L0,1 U0,2
L0,1 U0,3 L0,2 U0,4 L0,1 U0,2 L0,1 U0,3 L0,3 U0,2 L0,1 U0,2 L0,1 U0,1 L0,1 U0,1 L0,1 U0,2 L0,1 U0,1
L0,2 U0,1 L0,1 U0,2 L0,1 U0,3 L0,1 U0,1 L0,1 U0,2 L0,2 O0,1 U0,1 L0,3 O0,4 U0,2 L0,1 U0,2 L0,1 U0,2
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,2 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,2 U0,2 L0,1 U0,1 L0,1 U0,3
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,7 U0,2
L0,1 U0,2 L0,2 U0,1 L0,1 U0,4 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1x O0,2 L0,z O0,7 L0,2 O4,c
Le,5 O7,1 O1,1 eh,34 U0,1 L0,1 U0,1 L0,1 O0,1 U1,1 L0,1 L2,4 c0,1 U0,1 U6,1 U1,3 U1,1 U1,2 L0,1 U0,h
U1,9 L0,z U0,1 L0,2 U0,3 L0,3 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1
U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,5 U0,1 L0,1 U1,1 L0,1 U0,2 L0,2 U0,1f L0,1c U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 e1,7 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1
U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1
U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1
U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,2 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1
U0,1 L0,2 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1
U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1
U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1
U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1
U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U1,12 L1,1
O0,1 c3,1 L2,15 T0,1 L1,2 e4,19 e1,1 e1,2 e1,2 e1,3 O6,r O4,5 Nc,6 c6,2 e2,b f1,1 T0,3 O0,17 e0,l
N0,a N1,2 O1,2 e0,1 O0,2r T0,1 O0,1 e0,7 N0,1 e1,6 O0,2 e0,2 e1,4 O0,2 N0,a O0,3 O2,1 T0,3 fc,1 O0,1
e0,1 O0,u e0,r O2,2h e0,b O0,1 Ne,a O0,x e0,9 O0,2 c2,1 T0,1 O0,1 e2,1 O2,m e0,4 O0,1 e0,9 O0,1 e0,3
O0,1 e0,5 T9,1 T1,1 T3,2 O1,p e0,3 O4,b O5,o O1,7 N0,2 e5,9 O0,16 e0,o N0,1 e0,x O0,1i e0,3 O0,1
e0,i O0,1 e0,7 O0,a e0,2 T0,2 N0,a O1,g e0,3 O1,8 O2,2 O2,m O1,7 O1,1 O3,4 e2,1 O0,1 e0,7 e2,2 e2,3
O0,1 e8,1 O4,2 O1,3 e0,2 N2,a O0,2 Oa,1 e1,1 e2,3 O1,6 O4,2 O2,m O1,7 O1,2 O1,2 O1,2 e2,1 e1,5 e4,2
e2,3 e3,1 O7,4 O1,1 N7,a e0,2 O0,3 e0,1 eb,3 O1,9 O1,3 O1,m O1,7 O1,2 O1,5 e2,1 O0,1 e0,8 e1,3 e1,3
O2,1 Of,2 e0,2 N2,a O9,1 e0,6 e1,3 O1,8 O2,2 O2,m O1,7 O1,2 O1,5 e2,1 O0,1 e0,7 e2,2 e2,3 e5,5 O4,2
O1,3 e0,2 N2,a O1,1 eg,1 O0,1 O1,6 O3,3 O1,4 O3,2 O1,1 O1,2 O3,2 O3,3 O3,c e4,5 e3,3 e1,4 O2,1 e6,1
Ne,a eg,5 O0,8 O1,3 O1,n O1,g e2,1 O0,1 e0,7 e1,3 e1,4 e7,2 O1,3 O1,2 O2,2 e0,2 N2,a Og,1 e0,3 O1,8
O1,3 O1,n O1,a O1,5 e2,1 O0,1 e0,7 e1,3 e1,4 e7,2 O5,3 O1,2 e0,2 N2,a O1,2 e0,1 ec,4 O0,9 O1,3 O1,15
e0,2 O0,1 e0,7 e1,3 e1,4 O0,1 O5,3 e0,1 O7,3 e0,2 N2,a Oa,6 e1,3 O1,i O3,o O1,9 O1,1 O2,7 e3,1 e4,6
e1,1 e1,8 N6,a e2,2 Od,1c e0,1 O0,2 e0,7 O5,7 e0,8 N1,a O13,2 O1,1 O1,5 O1,o O1,1 O1,a e0,1 O0,2
e0,9 O0,1 O2,5 O1,1 e1,7 N1,a O2,4 Ow,1 en,2 N6,a eb,1 e1,1 e1,1 C0,4 e0,2 O0,8 O1,10 e4,k e1,2 O0,5
e0,b e1,10 e9,1 O1l,17 e0,k O0,1 N0,a T0,2 O4,6 e0,4 O0,4 e0,3 O0,1 e0,3 O0,2 e0,7 O0,3 e0,4 O0,d
e0,c O0,1 e0,1 N0,a e0,4 U2,12 U1,1 U5,1 O2,17 L1,1 O0,98 O1,4 O2,7 O1,1 O1,4 O2,15 O1,4 O2,x O1,4
O2,7 O1,1 O1,4 O2,f O1,1l O1,4 O2,1v e2,3 T2,1 T4,2 On,g Ug,2e L2,6 O3,h8 T1,1 O0,h s0,1 O0,q C0,2
O3,23 O3,b O7,i e0,4 O9,j e0,3 T0,2 O9,i e0,2 Oc,d O1,3 e1,2 Oc,1g e0,w T0,2 O1,1 O4,1 e0,1 N2,a
co,1 T0,1 c4,1 T0,1 e1,3 f0,1 e0,1 N0,a O6,2h O7,5 e0,2 O0,y e0,1 O0,1 O5,1y Oa,v e1,c e4,c T8,2
N0,a O0,u O2,5 Ob,18 O4,q N6,b O11,n e0,5 O4,1h e0,a e1,t e2,1 N0,a N6,a Od,1 T0,4 e4,1t ef,5 O0,1b
e0,h O0,8 T1,2 N0,a T0,2 T2,2 eb,9 T9,3 e0,3 O0,u e0,d O0,2 N0,a O0,18 e0,e Oc,10 e0,k T3,2 N3,a
O3,3 N0,a O0,10 T0,2 L0,9 U0,1 L0,1 O5,17 O2,3 eg,3 e1,l O0,4 e0,1 O0,6 e0,1 O0,2 e0,3 O0,1 L5,5c
e0,1s U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,9 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,9 U0,8 L0,6 U2,6 L2,8 U0,8 L0,8 U0,8 L0,6 U2,6 L2,8 U1,1
U1,1 U1,1 U1,1 L0,8 U0,8 L0,e L2,8 U0,8 L0,8 U0,8 L0,8 U0,8 L0,5 L1,2 U0,5 L1,1 L3,3 L1,2 U0,5 L3,4
L2,2 U0,4 L4,8 U0,5 L5,3 L1,2 U0,5 s3,b f0,1 e0,2 f0,2 c3,2 C3,8 A4,1 l3,2 f0,5 s0,1 C9,2 T1,2 C7,2
T0,3 sl,1 f0,5 f1,a L1,1 Cb,2 L0,1 Cd,2 O0,1 L0,g e1c,x Uh,1 U4,1 L2,1 U0,3 L0,2 U0,3 L0,1 U1,1 U3,5
U6,1 U1,1 U1,1 U1,4 L1,1 U0,4 L0,1 O0,4 L0,1 L2,2 U0,2 U5,1 L0,4 L4,1 Uh,g L0,g O0,3 U0,1 L0,1 O0,4
Can,4 Ct,2 Uaz,q L0,q Chd,6 C7,e C27,2 Cv,a Cb7,m C1r,4 Cw,2 Uea,1c L0,1c U0,1 L0,1 U0,3 L0,2 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,4 L0,1 U0,1 L0,2 U0,1 L0,8 U0,3 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,2 U6,1 L0,1 U0,1 L0,1 e0,3 U0,1 L0,1 T5,3 L4,12
L1,1 L5,1 O2,1k O7,1 ef,1 O0,n O9,7 O1,7 O1,7 O1,7 O1,7 O1,7 O1,7 O1,7 e1,w C0,e Ce,2 C2,a T4,1 O0,1
Tc,1 C5,1 Tg,2 C0,8 T3,2 C0,2 sbg,1 c0,1 T0,1 O2,3 C0,a C2,8 C1,3 O1,9 e0,6 O1,5 O2,5 O4,2e e2,2
O2,3 O1,2i O1,4 O5,17 O1,2m Oh,w O1c,g Oe8,534 O1s,h3h O1v,1a T1,1 O0,7h T1,2 O0,g N0,a O0,2 Uk,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 O0,1 e0,4 e1,a O1,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,3 e0,2 O0,28 e0,2
T1,1 T3,1 Ov,9 U2,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,3 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,a U0,1
L0,1 U0,1 L0,1 U0,2 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 O0,1 U2,1 L0,1 U0,1 L0,1 O0,1 U0,1
L0,1 U0,1 L0,3 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,5 L0,1 U0,5 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,4 L0,1 U0,1 L0,1 U0,2 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,2 U4,1 Le,4 U0,1 L0,1 O0,1 L0,3 O0,7 e0,1 O0,3 e0,1 O0,4 e0,1 O0,n e0,5 e4,1 Oj,1g T2,2 e8,2
O0,1e e0,i T8,2 N0,a e6,i O0,6 O3,1 O1,2 e0,1 N0,a O0,s e0,8 T1,1 O0,n e0,d Oc,t e3,4 O0,1b e0,e
T7,2 O5,1 N0,a O6,5 e0,1 O0,a N0,a O0,5 O1,15 e0,e O9,3 e0,1 O0,8 e0,2 N2,a T3,3 O0,n O3,1 e0,3
O0,1e e0,1 O0,1 e0,3 O0,2 e0,2 O0,5 e0,2 O0,1 e0,1 O0,1 Oo,3 O2,b e0,5 T0,2 O0,3 e0,2 Oa,6 O2,6 O2,6
O9,7 O1,7 L1,17 L1,e U2,2 L2,28 O0,z e0,8 T0,1 e0,2 N2,a O6,8mc Oc,n O4,1d O6is,a6 O2,2y L12,7 Lc,5
O5,1 e0,1 O0,a O1,d O1,5 O1,1 O1,2 O1,2 O1,30 Ox,a3 C0,2 Og,1s O2,1i O14,c e4,g c0,2 T0,1 c0,2 T0,2
C0,2 e7,g c1,2 C2,g C2,2 c7,2 A0,1 c1,2 T0,2 c0,1 C0,6 c4,1 Oc,5 O1,3r f2,1 T1,1 C6,2 c2,2 A0,1 N1,a
c0,2 T3,1 U1,q C0,1 C1,1 L3,q C0,1 C1,1 C1,2 T0,1 C0,2 c0,1 O1,1k e0,2 O0,v O3,6 O2,6 O2,6 O2,3 fs,3
O4,c O1,q O1,j O1,2 O1,f O2,e Oy,3f O1x,1h e3s,1 O3m,t O3,1d ef,1 Ov,w Od,u O5,12 e0,5 O5,u O2,10
O4,8 O1,5 U16,14 L0,14 O0,26 N2,a U6,10 L4,10 O4,14 O8,1g Uc,b U1,f U1,7 U1,2 L1,b L1,f L1,7 L1,2
O3,1g Oc,8n O9,m Oa,8 Lo,1 O0,2 L0,3 L1,16 L1,e O1s,6 O2,1 O1,18 O1,2 O3,1 O2,n Oa,n O9,v O1t,j O1,2
Oa,m Oa,q O6,q O12,1k O6,2 O1s,1 e0,3 e1,2 e5,4 O0,4 O1,3 O1,t e2,3 e4,1 Tm,2 O8,t O3,t Oz,8 O1,s
e0,2 Op,1i Oa,m Oa,j Od,i O32,21 U1j,1f Ld,1f Od,10 e0,4 N8,a N6,a O0,6 U0,m e3,5 O1,1 L0,m O6y,16
e1,2 O3,2 Og,6 e3,5 O9,m e1,g O0,t Oa,1 O8,m e0,b T4,5 Om,i e0,4 T0,4 O12,l Or,n e9,3 O0,1h e0,f
T0,2 Nt,a e0,1 O0,2 e0,2 O0,1 e9,4 O0,19 e0,b N2,1 T0,4 e0,1 Na,1 O2,p N7,a e6,3 O0,10 e0,e N1,a
T1,3 O0,1 e0,2 O0,1 O8,z e0,1 O2,1 e9,3 O0,1c e0,e O0,4 T0,2 e2,4 T0,1 e0,2 N0,a O0,1 O1,1 T1,2 Ow,i
O1,p e0,c T0,2 T1,2 e1,1 O0,2 e0,1 O1q,7 O1,1 O1,4 O1,f O1,a T0,1 O6,1b e0,c N5,a e6,4 O1,8 O2,2
O2,m O1,7 O1,2 O1,5 e1,2 O0,1 e0,7 e2,2 e2,3 O2,1 e6,1 O5,5 e0,2 e2,7 e3,5 Ob,a O1,1 O2,1 O1,12 O1,1
e0,9 e1,1 e2,1 e1,4 e1,5 O0,1 e0,1 O0,1 T0,2 eb,2 Ot,1h e0,i O0,4 T0,2 N3,a e4,1 O0,3 Ou,1c e0,k
O0,2 O1,1 N8,a O4m,1b e0,7 e2,9 T1,2 T5,f O0,4 e0,2 Oy,1c e0,h T0,2 O1,1 Nb,a O12,17 e0,d O0,1 N7,a
N6,k Os,r e2,f N4,a T2,3 O1,7 O55,18 e0,f U2t,w L0,w N0,a Ol,8 O2,1 O2,8 O1,2 O1,o e0,6 e1,2 e2,4
O0,1 e0,1 O0,1 e0,2 T0,1 T1,1 N9,a O1y,8 O2,13 e0,7 e2,7 O0,1 O1,1 e0,1 Or,1 e0,a O0,14 e0,7 O0,1
e0,4 T3,2 e3,1 O8,1 e0,b O0,1a e0,g T1,2 O0,1 Oi,21 Oh,1 e2d,8 O2g,x Nf,a O6,9 O1,11 e0,8 e1,8 O0,1
T0,2 Nd,a Oo,u e2,m e1,e O21,7 O1,2 O1,12 e0,6 e3,1 e1,2 e1,7 O0,1 e0,1 N8,a O6,6 O1,2 O1,w e0,5
e1,2 e1,5 O0,1 N7,a O6,18 N4,a e6,1 O0,1 O6m,j e0,4 T0,2 e7,2 O0,1 e0,1 O0,d O1,y e0,7 e3,5 T0,2
Nb,a e0,1 O2d,1 O27,pm O2u,34 O5,5r Oc,8n O1s9,2p Of,ts f0,g e0,1 O0,6 e0,f Oa,32z O5,g7 O5a1,u e0,i
N0,a O1c6,ft O7,v N1,a T4,2 O0,27 N1,a O6,u e2,5 T0,1 Oa,1c e0,7 T0,2 O7,4 T0,1 Nb,a O9,l O5,j
Oc0,19 T1,2 N0,a U5i,w L0,w To,1 U7,p L2,p O18,23 e4,1 O0,1 e0,1j e7,4 O0,d O1s,2 O1,1 e0,1 eb,2
O0,5 O9,5p7 O10,y O2n,37 Od,pe Oe,1f O5y5,4 O1,7 O1,2 O1,89 O9,1 Ot,3 O2,1 Oe,5 O7,b0 O1s4,2z O5,d
O3,9 O7,a e3,2 T0,1 f0,4 N37w,a eee,1a e2,n edc,2 e1o,5 e3,6 f0,8 e0,8 e2,7 eu,4 e44,3 eb,3 e8,2
e2,1 ew,2 Uam,q L0,q U0,q L0,7 L1,i U0,q L0,q U0,1 U1,2 U2,1 U2,2 U2,4 U1,8 L0,4 L1,1 L1,7 L1,b U0,q
L0,q U0,2 U1,4 U2,8 U1,7 L1,q U0,2 U1,4 U1,5 U1,1 U3,7 L1,q U0,q L0,q U0,q L0,q U0,q L0,q U0,q L0,q
U0,q L0,q U0,q L0,t U1,p L1,p L1,6 U0,p L1,p L1,6 U0,p L1,p L1,6 U0,p L1,p L1,6 U0,p L1,p L1,6 U0,1
L0,1 N2,1e ee8,1j e4,1e e8,1 ee,1 T3,1 ei,5 e1,f Luo,a O0,1 L0,1h U0,1 L0,7 U0,1 L0,1 U0,1 L0,2 U0,1
L0,3 U0,1 L0,m U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,3 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1 L0,1 U0,1
L0,1 U0,1 L0,1 U0,1 L0,1 O0,2 Le,7 L1i,1f e0,7 e1,h e2,7 e1,2 e1,5 L5,1q ex,1 O34,19 e3,7 O0,7 N2,a
O4,1 O8x,u e0,1 Oh,18 e0,4 N0,a Od2,s e0,4 N0,a O5y,u e0,2 O0,1 N0,a O5h,v O1,3 e0,1 O0,2 e0,1 O0,7
e0,2 O0,5 e0,1 O8,2 O68,7 O1,4 O1,2 O1,f O1,5h eb,7 U15,y L0,y e0,7 O0,1 N4,a Ox2,4 O1,r O1,2 O1,1
O2,1 O1,a O1,4 O1,1 O1,1 O6,1 O4,1 O1,1 O1,1 O1,3 O1,2 O1,1 O2,1 O1,1 O1,1 O1,1 O1,1 O1,2 O1,1 O2,4
O1,7 O1,4 O1,4 O1,1 O1,a O1,h O5,3 O1,5 O1,h Uhg,q U6,q U6,q Cz0,3 N12v,a Osm,wyo Ow,3dr O1,4ge
O2,5rl Of,ha O1wi,f2 O15u,3t7 O5,6ju Oupy,8qo fe2f5,1 eu,2o e3k,6o
"""
