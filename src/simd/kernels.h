/* The kernels, as one table for each instruction set. */
#ifndef MRWI_KERNELS_H
#define MRWI_KERNELS_H

struct mrw_skin_job;

/* The inner loops of the stages. Each is described by the header of its stage; its body is
 * src/STAGE/NAME_kernel.inl, and src/isa compiles that for each instruction set. They trust what
 * they are given: the stage's public function has checked it. */
typedef struct mrwi_kernels {
    const char *name; /* what mrw_isa_name says */

    /* skin: the vertices of a job. */
    void (*skin)(const struct mrw_skin_job *job);
} mrwi_kernels;

/* Those of the best instruction set that this machine has, or that mrw_isa_select has asked for. */
const mrwi_kernels *mrwi_kernels_active(void);

#endif
